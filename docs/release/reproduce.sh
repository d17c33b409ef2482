#!/usr/bin/env bash
# reproduce.sh [DIRECTORY VERSION]: builds the committed sources once more, and compares all jars and poms byte for byte with those
# of a directory that release.sh has filled from the same commit; without one, with those of another build.
set -eu
directory=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=${2:-0.0.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sums DIRECTORY
sums() {
    (cd "$1" && find . \( -name '*.jar' -o -name '*.pom' \) -print0 | sort -z | xargs -0 sha256sum)
}

if [ -n "$directory" ]; then
    sums "$directory" > "$work/one.sums"
else
    docs/release/release.sh "$version" "$work/one" --unsigned
    sums "$work/one" > "$work/one.sums"
fi
docs/release/release.sh "$version" "$work/two" --unsigned
sums "$work/two" > "$work/two.sums"
diff "$work/one.sums" "$work/two.sums"
echo "$(wc -l < "$work/one.sums") files are the same, byte for byte:"
cat "$work/one.sums"
