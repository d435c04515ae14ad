#compdef docent
# Completion for docent. Load it with: source <(docent completions zsh)
_docent() {
    local line
    local -a values=() shown=() open=() open_shown=()
    # Names come from others' services: each line is taken as it is, and compadd quotes what it inserts.
    while IFS= read -r line; do
        if [[ "${line%%$'\t'*}" == *= ]]; then
            open+=("${line%%$'\t'*}")
            open_shown+=("${line/$'\t'/  }")
        else
            values+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  }")
        fi
    done < <(docent complete-words zsh -- "${(@Q)words[1,CURRENT]}" 2>/dev/null)
    if (( $#values + $#open == 0 )); then
        _files
        return
    fi
    (( $#open )) && compadd -S '' -l -d open_shown -- "${open[@]}"
    (( $#values )) && compadd -l -d shown -- "${values[@]}"
}
compdef _docent docent
