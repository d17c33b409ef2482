package io.reactiveinformer.test.simulation;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class PodSchedulerTest {

    @Test
    void leavesAPodWhereSomeoneElseHasPutItMeanwhile() {
        ObjectNode pod = JsonMapper.shared().createObjectNode();
        pod.putObject("spec").put("nodeName", "chosen-by-hand");
        ObjectNode before = pod.deepCopy();
        assertThat(PodScheduler.bound(pod, "node-1")).isEqualTo(before);
        assertThat(PodScheduler.unschedulable(pod, 3)).isEqualTo(before);
    }
}
