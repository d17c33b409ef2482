#!/usr/bin/env bash
# Measures, and prints what it saw: docs/benchmarks/run.sh [SCENARIO...]; without one, all of them but quick and operators-10. README.md says what each one is.
set -eu

root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
library=$root/reactive-informer/client/target/classes:$root/reactive-informer/readers/target/classes:$root/reactive-informer/informer/target/classes:$root/reactive-informer/operator/target/classes
here=$root/docs/benchmarks
target=$here/target
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

scenarios=(trials operators discovery subscribers browsers standalone readers maps custom-resources micro)
failed=0
trials=(list list-100 list-unequal fits churn relist burst delay delay-500 slow lister many hundred cuts)

trials() {
    for name in "${trials[@]}"; do
        trial "$name"
    done
}

# In processes of their own, in turns with the peers, and kept in RESULTS.md, or the document of that name. Five rounds of all take three hours or more on two slow cores.
trial() {
    put_on_trial "-Dtrial.results=${RESULTS:-$here/RESULTS.md}" "${ROUNDS:-5}" "$1" || failed=1 # the others go on
}

# Kept like the trials.
operators() {
    ROUNDS=${ROUNDS:-3} trial operators
}

# The same before a server that takes 10 ms for each write. It runs only if it is named.
operators-10() {
    ROUNDS=${ROUNDS:-3} trial operators-10
}

# Kept like the trials.
discovery() {
    ROUNDS=${ROUNDS:-3} trial discovery
}

# Small clusters, and nothing is kept.
quick() {
    put_on_trial "" 1 quick-list quick-burst quick-delay quick-lister quick-operators || failed=1
}

# put_on_trial RESULTS_PROPERTY ROUNDS TRIAL...
put_on_trial() {
    local harness=$here/harness/target/classes
    local own
    # Without what only other scenarios need: no contender has something to log with, and every jar on a class path takes heap.
    # Jars first, as in any application: what is in a directory, where each class is looked for with a question to the file system, comes last.
    own=$(find "$target/libraries" -name '*.jar' | grep -vE '/(logback|spring|bc|jmh|jol|jopt|commons-math|commons-logging|micrometer|vavr|pcollections|reactor-test)[^/]*$' | sort | paste -sd:)
    run "-Dtrial.harness=$harness:$(class_path)" \
        "-Dtrial.ours=$own:$library:$target/classes:$harness" \
        "-Dtrial.official=$here/official/target/libraries/*:$here/official/target/classes:$harness" \
        "-Dtrial.fabric8=$here/fabric8/target/libraries/*:$here/fabric8/target/classes:$harness" \
        "-Dtrial.josdk=$here/josdk/target/libraries/*:$here/josdk/target/classes" \
        "-Dtrial.cloud=$here/discovery/target/libraries/*:$library:$root/reactive-informer/spring-boot/target/classes:$root/reactive-informer/spring-cloud/target/classes:$here/discovery/target/classes" \
        "-Dtrial.cloud-fabric8=$here/discovery/fabric8/target/libraries/*:$here/discovery/target/classes" \
        "-Dtrial.cloud-client-java=$here/discovery/client-java/target/libraries/*:$here/discovery/target/classes" \
        "-Dtrial.cluster=$(class_path)" \
        "-Dtrial.machine=$(machine); $(versions)${FLAGS:+; all with $FLAGS}." ${FLAGS:+"-Dtrial.flags=$FLAGS"} ${1:+"$1"} io.reactiveinformer.benchmarks.trial.Trials "${@:2}"
}

machine() {
    echo "$(date -u +%F), $(commit), $(nproc) cores ($(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -1))," \
        "$(awk '/^MemTotal/ {print int($2 / 1048576 + 0.5)}' /proc/meminfo) GB, $(uname -sr), $("$java" -version 2>&1 | sed -n 2p)"
}

# Of what is measured; the results of other scenarios may have been written since.
commit() {
    echo "commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)$(git -C "$root" diff --quiet HEAD -- . ':!docs/benchmarks/RESULTS.md' 2>/dev/null || echo ' with changes')"
}

versions() {
    echo "typed with $(versions_in "$target"), fabric8 with $(versions_in "$here/fabric8/target"), client-java with $(versions_in "$here/official/target")," \
        "JOSDK with $(versions_in "$here/josdk/target")"
}

versions_in() {
    find "$1/libraries" -name '*.jar' -printf '%f\n' | sort \
        | sed -nE 's/^(client-java|operator-framework-core|kubernetes-client|kubernetes-httpclient-[a-z0-9]+|okhttp-jvm|reactor-netty-http|netty-common|jackson-databind|gson)-([0-9].*)\.jar$/\1 \2/p' | paste -sd+ | sed 's/+/ + /g'
}

subscribers() {
    run -Xmx2g io.reactiveinformer.benchmarks.ManySubscribers 1000 10000 2000 60
}

browsers() {
    for form in objects rows sampled-rows sampled-frames stream; do
        run -Xmx2g io.reactiveinformer.benchmarks.browsers.Browsers "$form" 500 100 10000 2000 30
    done
}

# Builds the jar, and lets each JVM keep what it has loaded.
standalone() {
    local jar kept=$target/standalone
    (cd "$root" && ./mvnw -B -q --no-transfer-progress -pl reactive-informer-test/kit -am -DskipTests package) >&2 </dev/null
    jar=$(ls "$root"/reactive-informer-test/kit/target/reactive-informer-test-*-standalone.jar)
    starts "$java" "$jar" -XX:ArchiveClassesAtExit="$kept.jsa" -XX:SharedArchiveFile="$kept.jsa"
    if [ -n "${JAVA25:-}" ]; then
        starts "$JAVA25" "$jar" -XX:AOTCacheOutput="$kept.aot" -XX:AOTCache="$kept.aot"
    fi
    ulimit -n 8192
    run -Xmx512m io.reactiveinformer.benchmarks.Standalone load 50000 1000 5000 10 "$java" "$jar" -Xmx3g
    rm -rf "$kept.state"
    run -Xmx512m io.reactiveinformer.benchmarks.Standalone load 50000 1000 5000 10 "$java" "$jar" -Xmx3g --persist "$kept.state"
    rm -rf "$kept.state"
}

# starts JAVA JAR TRAINING_FLAG FLAG
starts() {
    rm -f "$kept".aot "$kept".jsa
    "$1" "$3" -jar "$2" --tls >"$kept.log" 2>&1 &
    until grep -q listening "$kept.log"; do sleep 0.1; done
    kill $!
    wait $! || true
    run io.reactiveinformer.benchmarks.Standalone starts "$1" "$2"
    run io.reactiveinformer.benchmarks.Standalone starts "$1" "$2" "$4"
    run io.reactiveinformer.benchmarks.Standalone starts "$1" "$2" "$4" --tls
}

# With a broker's libraries, which no other scenario has on its class path.
readers() {
    local of=$here/readers/target
    "$java" -cp "$of/classes:$library:$root/reactive-informer/kafka/target/classes:$root/reactive-informer-test/kit/target/classes:$root/reactive-informer-test/apiserver/target/classes:$of/libraries/*" \
        io.reactiveinformer.benchmarks.readers.Readers
}

maps() {
    run -Djdk.attach.allowAttachSelf=true -Djol.magicFieldOffset=true io.reactiveinformer.internal.trie.PersistentMaps trie copied pcollections vavr
    run org.openjdk.jmh.Main -prof gc PersistentMaps
}

# By the reader of our own, and by Jackson.
custom-resources() {
    for form in generated class record pods; do
        for shapes in true false; do
            printf '%-10s shapes=%-6s' "$form" "$shapes"
            taskset -c 1 "$java" -cp "$(class_path)" -Xmx1g -XX:+UseSerialGC -Dio.reactiveinformer.shapes="$shapes" \
                io.reactiveinformer.benchmarks.micro.CustomResources "$form"
        done
    done
}

micro() {
    run -Djdk.attach.allowAttachSelf=true -Djol.magicFieldOffset=true io.reactiveinformer.benchmarks.micro.RetainedSizes
    run org.openjdk.jmh.Main -prof gc -wi 2 -w 1 -i 3 -r 1 'Cutting|Decoding|Storing|Conflation|Queueing'
}

run() {
    "$java" -cp "$(class_path)" "$@"
}

class_path() {
    echo "$target/classes:$here/harness/target/classes:$library:$root/reactive-informer/spring-boot/target/classes:$root/reactive-informer-test/kit/target/classes:$root/reactive-informer-test/apiserver/target/classes:$target/libraries/*"
}

for scenario in "$@"; do
    if [[ ! " ${scenarios[*]} quick operators-10 ${trials[*]} " == *" $scenario "* ]]; then
        echo "error: there is no scenario $scenario; there are: ${scenarios[*]} quick operators-10, and of the trials: ${trials[*]}" >&2
        exit 2
    fi
done

echo "building ..." >&2
rm -rf "$target/libraries" "$here/official/target/libraries" "$here/fabric8/target/libraries" "$here/josdk/target/libraries" "$here/readers/target/libraries" "$here"/discovery/target/libraries "$here"/discovery/*/target/libraries # those of other versions would stay
(cd "$root" && ./mvnw -B -q --no-transfer-progress -pl docs/benchmarks,docs/benchmarks/official,docs/benchmarks/fabric8,docs/benchmarks/josdk,docs/benchmarks/readers,docs/benchmarks/discovery,docs/benchmarks/discovery/fabric8,docs/benchmarks/discovery/client-java -am -DskipTests -Dbenchmarks.run process-classes) >&2 </dev/null

machine
for scenario in "${@:-${scenarios[@]}}"; do
    printf '\n== %s\n' "$scenario"
    if [[ " ${trials[*]} " == *" $scenario "* ]]; then
        trial "$scenario"
    else
        "$scenario"
    fi
done
exit "$failed"
