#!/usr/bin/env bash
# consume.sh DIRECTORY VERSION: fresh projects, outside this build, take the library from a directory that release.sh has filled,
# compile, and run: by Maven and by Gradle, with requests only, informers, operators, and Spring Boot, on
# each JDK from 17 on. JDKS may name their homes; by default these are all under /usr/lib/jvm. GRADLE may name a Gradle; without it, the one
# on Maven Central resolves the class path (on JDK 17; it is a library without a command), and javac compiles. Prints how many jars are on it.
set -eu
directory=$(cd "$1" && pwd)
version=$2
home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gradle=${GRADLE:-}
projects=0

# Or Maven would take it from there.
for installed in "$HOME"/.m2/repository/io/reactiveinformer/*/"$version"; do
    [ ! -e "$installed" ] || { echo "remove $installed first: the projects are to take $version from $directory only" >&2; exit 2; }
done

# Maven writes what it takes from the directory to a repository of its own, and reads all else from the usual one.
run() {
    local name=$1 jdk=$2
    shift 2
    printf '\n== %s, %s\n' "$name" "$("$jdk/bin/java" -version 2>&1 | head -1)"
    JAVA_HOME=$jdk "$@" | tee "$work/output"
    grep -q 'synced: 2 pods' "$work/output" || { echo "$name did not print its pods" >&2; exit 1; }
    projects=$((projects + 1))
}

# resolve PROJECT: the class path that Gradle resolves.
resolve() {
    if [ ! -f "$work/gradle/api" ]; then
        cp -r "$home/consumers/gradle" "$work/"
        "$home/../../mvnw" -q -B -f "$work/gradle/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath \
            -Dmdep.outputFile="$work/gradle/api"
    fi
    java --add-opens=java.base/java.lang=ALL-UNNAMED -cp "$(cat "$work/gradle/api")" "$work/gradle/ClassPath.java" \
        "$work/$1" "$directory" "$version" "$work/gradle/home"
}

# compile_and_run JDK CLASS_PATH: compiles the project in this directory, and runs it.
compile_and_run() {
    "$1/bin/javac" -nowarn -proc:none -parameters -d classes -cp "$2" src/main/java/consumer/*.java
    if [ -d src/main/resources ]; then
        cp -r src/main/resources/. classes
    fi
    "$1/bin/java" -cp "classes:$2" "$(sed -n "s/.*mainClass = '\(.*\)'/\1/p" build.gradle)"
}

for jdk in ${JDKS:-/usr/lib/jvm/*}; do
    release=$("$jdk/bin/javac" -version 2>/dev/null | sed -n 's/^javac \([0-9]*\).*/\1/p' || true)
    if [ -L "$jdk" ] || [ "${release:-0}" -lt 17 ]; then
        continue
    fi
    for project in plain boot client operator; do
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
        else
            class_path=$(resolve "$project")
            printf '\n%s: %d jars, of them' "$project" "$(tr : '\n' <<< "$class_path" | wc -l)"
            tr : '\n' <<< "$class_path" | sed -n 's|.*/\(reactive-informer[a-z-]*\)-[0-9].*|\1|p' | sort | xargs printf ' %s'
            run "$project, class path by Gradle" "$jdk" compile_and_run "$jdk" "$class_path"
        fi
    done
done
[ "$projects" -gt 0 ] || { echo "no JDK 17 or newer under /usr/lib/jvm" >&2; exit 1; }
echo "all projects ran: $projects"
