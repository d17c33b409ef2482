#!/usr/bin/env bash
# reproduce.sh: builds the committed sources twice, in two directories, and compares all jars and poms byte for byte.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for build in one two; do
    docs/release/release.sh 0.0.1 "$work/$build" --unsigned
    (cd "$work/$build" && find . \( -name '*.jar' -o -name '*.pom' \) -print0 | sort -z | xargs -0 sha256sum) > "$work/$build.sums"
done
diff "$work/one.sums" "$work/two.sums"
echo "$(wc -l < "$work/one.sums") files are the same, byte for byte:"
cat "$work/one.sums"
