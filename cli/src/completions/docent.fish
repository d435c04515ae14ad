# Completion for docent. Load it with: docent completions fish | source
function __docent_words
    # Names come from others' services: fish takes each line as it is, and escapes what it inserts.
    docent complete-words fish -- (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command docent --arguments '(__docent_words)'
