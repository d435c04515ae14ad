#!/bin/sh
# Compares the descriptions in $FOLDER with their state in the revision $BASE. Prints annotations, writes a
# table to the summary of the job, and fails if callers break. See action.yml for the variables.
set -eu

case $BASE in
"") echo "there is no revision to compare with: set base" >&2 && exit 2 ;;
*[!0]*) ;;
*) echo "a new branch: there is nothing to compare with" && exit 0 ;;
esac
# A checkout usually has one commit only.
if ! git cat-file -e "$BASE^{commit}" 2>/dev/null; then
	git fetch --quiet --no-tags --depth=1 origin "$BASE"
	BASE=$(git rev-parse FETCH_HEAD)
fi

set -- "git:$BASE" "$FOLDER"
if [ -n "${ALLOW:-}" ]; then
	set -- "$@" --allow "$ALLOW"
fi
while IFS= read -r list; do
	if [ -n "$list" ]; then
		set -- "$@" --used "$list"
	fi
done <<END
${USED:-}
END

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
	"$DOCENT" diff "$@" --format markdown --fail-on none >>"$GITHUB_STEP_SUMMARY" 2>/dev/null || true
fi
exec "$DOCENT" diff "$@" --format annotations
