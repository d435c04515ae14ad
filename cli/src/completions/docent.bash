# Completion for docent. Load it with: source <(docent completions bash)
_docent() {
    local line="${COMP_LINE:0:COMP_POINT}" word
    local last="${line##*[[:space:]]}" kept
    local -a words
    COMPREPLY=()
    # Unlike a shell, xargs expands nothing when it takes quotation marks off.
    mapfile -t words < <(xargs printf '%s\n' <<< "${line%"$last"}" 2>/dev/null)
    # bash breaks words at `:` and `=` too, and inserts only what follows the last break.
    kept="${last%"${last##*["$COMP_WORDBREAKS"]}"}"
    # Names come from others' services: each line is taken as it is, and nothing expands it.
    while IFS=$'\t' read -r word _; do
        COMPREPLY+=("${word#"$kept"}")
    done < <(docent complete-words -- "${words[@]}" "$last" 2>/dev/null </dev/null)
    if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o nosort -o bashdefault -o default -F _docent docent
