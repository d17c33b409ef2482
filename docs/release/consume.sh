#!/usr/bin/env bash
# consume.sh DIRECTORY VERSION: fresh projects, outside this build, take the library from a directory that release.sh has filled, compile, and run: by Maven
# and by Gradle, without and with Spring Boot, on each JDK from 17 on under /usr/lib/jvm.
set -eu
directory=$(cd "$1" && pwd)
version=$2
home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gradle=${GRADLE:-}
projects=0

# Maven writes what it takes from the directory to a repository of its own, and reads all else from the usual one.
run() {
    local name=$1 jdk=$2
    shift 2
    printf '\n== %s, %s\n' "$name" "$("$jdk/bin/java" -version 2>&1 | head -1)"
    JAVA_HOME=$jdk "$@" | tee "$work/output"
    grep -q 'synced: 2 pods' "$work/output" || { echo "$name did not print its pods" >&2; exit 1; }
    projects=$((projects + 1))
}

for jdk in /usr/lib/jvm/*; do
    release=$("$jdk/bin/javac" -version 2>/dev/null | sed -n 's/^javac \([0-9]*\).*/\1/p' || true)
    if [ -L "$jdk" ] || [ "${release:-0}" -lt 17 ]; then
        continue
    fi
    for project in plain boot; do
        rm -rf "$work/$project"
        cp -r "$home/consumers/$project" "$work/$project"
        cp "$home/../../mvnw" "$work/$project/"
        mkdir -p "$work/$project/.mvn/wrapper"
        cp "$home/../../.mvn/wrapper/maven-wrapper.properties" "$work/$project/.mvn/wrapper/"
        rm -rf "$work/repository"
        cd "$work/$project"
        run "$project, Maven" "$jdk" ./mvnw -q -B compile exec:java \
            -Dmaven.repo.local="$work/repository" -Dmaven.repo.local.tail="$HOME/.m2/repository" \
            -Drelease.directory="file:$directory" -Drelease.version="$version"
        if [ -n "$gradle" ]; then
            run "$project, Gradle" "$jdk" "$gradle" -q --no-daemon run -PreleaseDirectory="$directory" -PreleaseVersion="$version"
        fi
    done
done
[ "$projects" -gt 0 ] || { echo "no JDK 17 or newer under /usr/lib/jvm" >&2; exit 1; }
echo "all projects ran: $projects"
