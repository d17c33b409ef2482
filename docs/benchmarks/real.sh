#!/usr/bin/env bash
# Measures what to ask a real API server for first, and prints tables: docs/benchmarks/real.sh [CORPUS PODS ROUNDS TABLE...]. README.md says what each one is.
set -eu

root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
library=$root/reactive-informer/client/target/classes:$root/reactive-informer/readers/target/classes:$root/reactive-informer/informer/target/classes:$root/reactive-informer/operator/target/classes
here=$root/docs/benchmarks
target=$here/target
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

if [[ -z ${REAL_KUBECONFIG:-} ]]; then
    echo "nothing was measured: REAL_KUBECONFIG names no kubeconfig of a real API server." >&2
    echo "Its server is filled with pods, and those in the namespaces team-0, team-1 ... are deleted: use one that holds nothing else." >&2
    exit 2
fi
if [[ ! -r $REAL_KUBECONFIG ]]; then
    echo "error: cannot read $REAL_KUBECONFIG, which REAL_KUBECONFIG names" >&2
    exit 2
fi
(($# == 0)) && set -- A 10000 3 one ten:LIST,STREAM changes network slow:LIST,STREAM
if (($# < 4)); then
    echo "error: expected a corpus (A or B), a number of pods, rounds and tables, such as: real.sh A 10000 3 one network" >&2
    exit 2
fi

echo "building ..." >&2
rm -rf "$target/libraries" # those of other versions would stay
(cd "$root" && ./mvnw -B -q --no-transfer-progress -pl docs/benchmarks,docs/benchmarks/official,docs/benchmarks/fabric8 -am -DskipTests -Dbenchmarks.run process-classes) >&2 </dev/null

echo "$(date -u +%F), commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown), $(nproc) cores ($(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -1)), $("$java" -version 2>&1 | sed -n 2p)"
exec "$java" -Xmx2g "-Dreal.flags=${FLAGS:--XX:+UseSerialGC}" "-Dreal.warm=${WARM:-1}" \
    "-Dreal.client-java=$here/official/target/libraries/*:$here/official/target/classes:$here/harness/target/classes" \
    "-Dreal.fabric8=$here/fabric8/target/libraries/*:$here/fabric8/target/classes:$here/harness/target/classes" \
    -cp "$target/classes:$here/harness/target/classes:$library:$target/libraries/*" \
    io.reactiveinformer.benchmarks.real.RealTrials "$@"
