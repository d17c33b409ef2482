#!/usr/bin/env bash
# matrix.sh [WORD...]: runs the tests that matter with other versions than those of the build, one change at a time, with the
# class files of the build. With words, runs only the cells whose names contain one. Prints a table made from the reports of the
# runs; the exit code is 1 if a cell failed. JDKS may name the homes of JDKs; by default these are all under /usr/lib/jvm.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
words=("$@")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

library=reactive-informer/client,reactive-informer/readers,reactive-informer/informer,reactive-informer/operator
apiserver=reactive-informer-test/apiserver
kit=reactive-informer-test/kit,reactive-informer-test/laws
spring=reactive-informer/spring-boot
java_tests='io/reactiveinformer/transport/**,io/reactiveinformer/config/**,io/reactiveinformer/internal/*Test,io/reactiveinformer/internal/informer/*Test,io/reactiveinformer/internal/operator/*Test,*RacesTest'
java_tests+=',InformerTest,WarmStartTest,AutoConfigurationTest,WebFluxApplicationTest,LoadBalancingTest,KubernetesConfigTest'
boot_tests='io/reactiveinformer/spring/**,io/reactiveinformer/metrics/**,io/reactiveinformer/cloud/*'
jackson_tests='io/reactiveinformer/internal/codec/**,io/reactiveinformer/internal/readers/**,io/reactiveinformer/json/**,io/reactiveinformer/recordings/**'
jackson_tests+=',SavedSnapshotTest,SnapshotDirectoryTest,InformerTest,ProtobufInformerTest,WarmStartTest,ChangesAsJsonTest'
models_tests='io/reactiveinformer/internal/codec/**,io/reactiveinformer/internal/readers/**,io/reactiveinformer/apiserver/**,io/reactiveinformer/resource/**'
models_tests+=',io/reactiveinformer/recorder/**,ResourceClientTest,InformerTest,ProtobufInformerTest,LeaderElectorTest'
models_tests+=',OperatorPropertyTest,TranscriptConformanceTest'

reports() {
    find reactive-informer reactive-informer-test -path '*/target/surefire-reports/TEST-*.xml' "$@"
}

# The sum of an attribute of all suites.
sum() {
    reports -exec grep -h -m 1 '<testsuite ' {} + | grep -o " $1=\"[0-9]*" | awk -F'"' '{n += $2} END {print n + 0}'
}

# "LABEL VERSION" of a jar on the class paths of the tests; nothing if it is not there.
jar() {
    local versions
    versions=$(reports -exec grep -oh "/$2-[0-9][^/:]*\.jar" {} + | sort -u | sed "s|^.$2-||; s|\.jar$||" | paste -sd' ')
    printf '%s' "${versions:+, $1 $versions}"
}

wanted() {
    local word
    [ "${#words[@]}" -gt 0 ] || return 0
    for word in "${words[@]}"; do
        case $1 in *"$word"*) return 0 ;; esac
    done
    return 1
}

# cell NAME MODULES TESTS ARGUMENT...
cell() {
    local name=$1 modules=$2 tests=$3 begin=$SECONDS works=yes ran bad
    shift 3
    wanted "$name" || return 0
    reports -delete
    ./mvnw -pl "$modules" -am test -Denforcer.skip -Dmaven.compiler.useIncrementalCompilation=false \
        -Dmaven.test.failure.ignore -Dsurefire.failIfNoSpecifiedTests=false \
        "-Dtest=$tests,!*FuzzTest,!*ArchitectureTest,!DiscoveryCostTest,!*IT" "$@" > "$log" 2>&1 || works=no
    ran=$(($(sum tests) - $(sum skipped)))
    bad=$(($(sum failures) + $(sum errors)))
    if [ "$ran" -eq 0 ] || [ "$bad" -gt 0 ]; then
        works=no
    fi
    [ "$works" = "${expected:-yes}" ] || failed=1
    if [ "$works" = no ]; then
        echo "$name failed:" >&2
        reports -exec awk '/<testcase /{t = $0} /<(failure|error)[ >]/{print t}' {} + |
            sed 's/.*<testcase name="\([^"]*\)" classname="\([^"]*\)".*/    \2 \1/' | sort -u >&2
        [ "$bad" -gt 0 ] || tail -30 "$log" >&2
    fi
    printf '| %s | %s | Java %s%s%s%s%s%s%s | %d | %d | %d |\n' "$name" "$works" \
        "$(reports -exec sed -n 's/.*"java.version" value="\([^"]*\)".*/\1/p' {} + | sort -u | paste -sd' ')" \
        "$(jar Boot spring-boot)" "$(jar Jackson 'tools/jackson/core/jackson-databind/[^/]*/jackson-databind')" \
        "$(jar models client-java-api)" "$(jar Reactor reactor-core)" "$(jar 'Reactor Netty' reactor-netty-http)" \
        "$(jar Netty netty-common)" "$ran" "$bad" "$((SECONDS - begin))"
}

./mvnw -q -pl "$library,$apiserver,$kit,$spring,reactive-informer/spring-cloud" -am test-compile \
    -Dmaven.compiler.useIncrementalCompilation=false >&2
printf '| changed | works | with | tests | failures | seconds |\n| --- | --- | --- | ---: | ---: | ---: |\n'
for jdk in ${JDKS:-/usr/lib/jvm/*}; do
    release=$("$jdk/bin/javac" -version 2>/dev/null | sed -n 's/^javac \([0-9]*\).*/\1/p' || true)
    if [ -L "$jdk" ] || [ "${release:-0}" -lt 17 ]; then
        continue
    fi
    JAVA_HOME=$jdk cell "Java $release" "$library,$kit,$spring,reactive-informer/spring-cloud" "$java_tests" -DexcludedGroups=long
done
# With the Netty of the build: that of these two (4.2.19) lacks files on Maven Central.
for version in 4.0.9 4.1.2; do
    cell "Spring Boot $version" "$spring,reactive-informer/spring-cloud" "$boot_tests" "-Dspring-boot.version=$version" \
        -Dnetty.version=4.2.17.Final
done
for version in 3.2.4 3.3.0; do
    cell "Jackson $version" "$library,$apiserver,$kit,$spring" "$jackson_tests" "-Djackson-bom.version=$version"
done
# Without tests that compare our tables with all models, or with protocol buffers, of 27. A pod of 26 has a field that 1.36 no longer has: what
# contains one is read from JSON, and tests that read pods from protocol buffers are left out.
newer='!ModelTypesTest,!ProtobufObjectsTest'
cell 'models 25.0.0' "$library,$apiserver,$kit" "$models_tests,$newer" -Dkubernetes-models.version=25.0.0
newer+=',!ProtobufBodiesTest,!ProtobufModelsTest#readsEachTypeOfTheTableExceptSchemas'
cell 'models 26.0.0' "$library,$apiserver,$kit" "$models_tests,$newer" -Dkubernetes-models.version=26.0.0
# The line before: Reactor Netty 1.2 on Netty 4.1. It has not all that we call.
expected=no cell 'Reactor 2024.0.18' "$library" SocketTransportTest -Dreactor-bom.version=2024.0.18 -Dnetty.version=4.1.135.Final
exit "$failed"
