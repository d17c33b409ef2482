#!/usr/bin/env bash
# release.sh VERSION DIRECTORY [--unsigned]: builds the committed sources as VERSION, and deploys all that is published to DIRECTORY, a Maven repository in
# the file system; then checks it. Nothing is uploaded. Tests are not run here: ./mvnw verify comes before.
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
fi
version=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
unsigned=${3:-}
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ -z "$(ls -A "$directory")" ] || { echo "$directory is not empty" >&2; exit 2; }

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
git clone --quiet --no-hardlinks "$home" "$sources/build"
cd "$sources/build"
present=$(sed -n 's|^    <version>\(.*\)</version>|\1|p' pom.xml | head -1)
git ls-files '*pom.xml' | xargs sed -i "s/${present//./\\.}/$version/g"
time=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
published=$(dirname reactive-informer/*/pom.xml reactive-informer-test/*/pom.xml | grep -v -e /laws$ -e /races$ | paste -sd,)

./mvnw -q -Prelease,jars -DskipTests -Dspotless.check.skip=true -Dproject.build.outputTimestamp="$time" -Dmaven.install.skip=true \
    ${unsigned:+-Dgpg.skip} -pl "$published" \
    deploy -DaltDeploymentRepository="release::file:$directory"
find "$directory" -name '*-tests.jar*' -delete # our own tests, which other modules' tests use

java docs/release/CheckRelease.java "$directory" "$version" $unsigned
