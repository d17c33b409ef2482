#!/usr/bin/env bash
# Measures, and prints what it saw: docs/benchmarks/run.sh [SCENARIO...]; without one, all of them. README.md says what each one is.
set -eu

root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
here=$root/docs/benchmarks
target=$here/target
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

scenarios=(trials subscribers browsers maps micro)

# In processes of their own, in turns with the peers. Five rounds take two hours; TRIALS and ROUNDS make it less.
trials() {
    local each=${TRIALS:-list list-unequal churn relist burst delay slow lister many hundred cuts}
    local harness=$here/harness/target/classes
    # shellcheck disable=SC2086 # one word for each
    run "-Dtrial.harness=$harness:$target/libraries/*" \
        "-Dtrial.ours=$target/classes:$harness:$root/reactive-informer/target/classes:$target/libraries/*" \
        "-Dtrial.official=$here/official/target/classes:$harness:$here/official/target/libraries/*" \
        "-Dtrial.fabric8=$here/fabric8/target/classes:$harness:$here/fabric8/target/libraries/*" \
        io.reactiveinformer.benchmarks.trial.Trials "${ROUNDS:-5}" $each
}

subscribers() {
    run -Xmx2g io.reactiveinformer.benchmarks.ManySubscribers 1000 10000 2000 60
}

browsers() {
    for form in objects rows sampled-rows sampled-frames; do
        run -Xmx2g io.reactiveinformer.benchmarks.browsers.Browsers "$form" 500 100 10000 2000 30
    done
}

maps() {
    run -Djdk.attach.allowAttachSelf=true -Djol.magicFieldOffset=true io.reactiveinformer.store.PersistentMaps trie copied pcollections vavr
    run org.openjdk.jmh.Main -prof gc PersistentMaps
}

micro() {
    run -Djdk.attach.allowAttachSelf=true -Djol.magicFieldOffset=true io.reactiveinformer.benchmarks.micro.RetainedSizes
    run org.openjdk.jmh.Main -prof gc -wi 2 -w 1 -i 3 -r 1 'Cutting|Decoding|Storing|Conflation|Queueing'
}

run() {
    "$java" -cp "$target/classes:$here/harness/target/classes:$root/reactive-informer/target/classes:$root/reactive-informer-test/target/classes:$target/libraries/*" "$@"
}

for scenario in "$@"; do
    if [[ ! " ${scenarios[*]} " == *" $scenario "* ]]; then
        echo "error: there is no scenario $scenario; there are: ${scenarios[*]}" >&2
        exit 2
    fi
done

echo "building ..." >&2
(cd "$root" && ./mvnw -B -q --no-transfer-progress -pl docs/benchmarks,docs/benchmarks/official,docs/benchmarks/fabric8 -am -DskipTests -Dbenchmarks.run process-classes) >&2 </dev/null

echo "$(date -u +%F), $(nproc) cores ($(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -1)), $("$java" -version 2>&1 | sed -n 2p)"
for scenario in "${@:-${scenarios[@]}}"; do
    printf '\n== %s\n' "$scenario"
    "$scenario"
done
