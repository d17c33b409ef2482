#!/usr/bin/env bash
# newer-jdk.sh JDK_HOME [MODULES]: runs the tests with the class files of the build on JDK 24 or newer and its optimizing compiler, without those that
# take long and compute the same on each JDK. All modules of the library, the kit and the laws, unless some are named.
set -eu
jdk=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
modules=${2:-reactive-informer/spring-boot,reactive-informer/spring-cloud,reactive-informer-test/kit,reactive-informer-test/laws}
./mvnw test -pl "$modules" -am "-Djvm=$jdk/bin/java" -DexcludedGroups=long -Dmaven.compiler.useIncrementalCompilation=false \
    -Dtest.jit.args= -Dtest.verification.args= '-Dtest.agent.args=-XX:+EnableDynamicAgentLoading --sun-misc-unsafe-memory-access=allow'
