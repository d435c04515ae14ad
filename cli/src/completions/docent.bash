# Completion for docent. Load it with: source <(docent completions bash)
_docent() {
    local line
    COMPREPLY=()
    # Names come from others' services: each line is taken as it is, and nothing expands it. What could
    # mean something to the shell has been escaped.
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(docent complete-words bash --breaks "$COMP_WORDBREAKS" -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o nosort -o bashdefault -o default -F _docent docent
