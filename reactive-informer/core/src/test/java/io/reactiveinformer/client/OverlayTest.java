package io.reactiveinformer.client;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OverlayTest {

    private static final int MANY = 60_000;

    private static ArrayNode list(int from, int to, String key, boolean extra) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        for (int i = from; i != to; i += from < to ? 1 : -1) {
            ObjectNode element = list.addObject().put(key, "n" + i);
            if (extra) {
                element.put("extra", i);
            }
        }
        return list;
    }

    /** If any two were compared, each of these would take minutes, on an event loop. */
    @Test
    @Timeout(20)
    void aLongListCostsNoMoreThanItsLength() {
        for (String key : new String[] {"name", "verb"}) {
            JsonNode turned = Overlay.of(list(0, MANY, key, true), list(0, MANY, key, false), list(MANY - 1, -1, key, false));
            assertThat(turned).hasSize(MANY);
            assertThat(turned.get(0).path("extra").intValue()).isEqualTo(MANY - 1);
        }
        assertThatThrownBy(() -> Overlay.of(list(0, MANY, "verb", true), list(0, MANY, "verb", false), list(1, MANY + 2, "verb", false)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("[0] has fields that the class does not have");
    }
}
