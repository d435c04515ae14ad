#compdef docent
# Completion for docent. Load it with: source <(docent completions zsh)
_docent() {
    local line
    local -a found=() shown=() suffix=()
    # Names come from others' services: each line is taken as it is, and compadd quotes what it inserts.
    while IFS= read -r line; do
        found+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  }")
    done < <(docent complete-words -- "${(@Q)words[1,CURRENT]}" 2>/dev/null </dev/null)
    if (( $#found == 0 )); then
        _files
        return
    fi
    [[ $found[1] == *= ]] && suffix=(-S '')
    compadd "${suffix[@]}" -l -d shown -- "${found[@]}"
}
compdef _docent docent
