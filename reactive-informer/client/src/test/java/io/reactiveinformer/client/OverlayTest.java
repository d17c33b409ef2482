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

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    /** The ports of two routes that change places and weights. */
    @Test
    void anElementKeepsWhatBelongsToIt() {
        JsonNode live = json("[{'path':'/a','weight':1,'port':80},{'path':'/b','weight':2,'port':90}]");
        JsonNode read = json("[{'path':'/a','weight':1},{'path':'/b','weight':2}]");
        assertThat(Overlay.of(live, read, json("[{'path':'/b','weight':20},{'path':'/a','weight':10}]")))
                .isEqualTo(json("[{'path':'/b','weight':20,'port':90},{'path':'/a','weight':10,'port':80}]"));
        assertThat(Overlay.of(live, read, json("[{'path':'/a','weight':1},{'path':'/c','weight':2}]")))
                .as("one is changed in its place")
                .isEqualTo(json("[{'path':'/a','weight':1,'port':80},{'path':'/c','weight':2,'port':90}]"));
        assertThatThrownBy(() -> Overlay.of(live, read, json("[{'path':'/c','weight':10},{'path':'/d','weight':20}]")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("it cannot be known which element takes its place");
        JsonNode numbers = json("[{'weight':1,'port':80},{'weight':2,'port':90}]");
        assertThatThrownBy(() -> Overlay.of(numbers, json("[{'weight':1},{'weight':2}]"), json("[{'weight':20},{'weight':10}]")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
