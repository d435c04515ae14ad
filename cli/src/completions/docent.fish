# Completion for docent. Load it with: docent completions fish | source
function __docent_words
    # The word at the cursor as it means, not as it is written, unless it ends inside quotation marks.
    set -l current (commandline --current-token --cut-at-cursor)
    set -l plain (string unescape -- "$current"); and set current $plain
    # Names come from others' services: fish takes each line as it is, and escapes what it inserts.
    docent complete-words -- (commandline --tokenize --cut-at-cursor --current-process) "$current" 2>/dev/null </dev/null
end
complete --command docent --arguments '(__docent_words)'
