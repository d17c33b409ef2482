#!/usr/bin/env bash
# same-jars.sh: builds the jars that are published once more, from the committed sources in another directory, and compares them
# byte for byte with those that ./mvnw verify left in the target directories.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
published=$(dirname reactive-informer/*/pom.xml reactive-informer-test/*/pom.xml | grep -v -e /laws$ -e /races$ | paste -sd,)

jars() {
    (cd "$1" && find reactive-informer reactive-informer-test -path '*/target/reactive-informer*.jar' ! -name '*-tests.jar' ! -path '*/laws/*' ! -path '*/races/*' -print0 |
        sort -z | xargs -0 sha256sum)
}

git clone --quiet --no-hardlinks . "$work/build"
(cd "$work/build" && ./mvnw -q -Pjars package -DskipTests -Denforcer.skip -pl "$published")
jars . > "$work/one"
jars "$work/build" > "$work/two"
diff "$work/one" "$work/two"
echo "$(wc -l < "$work/one") jars are the same, byte for byte"
