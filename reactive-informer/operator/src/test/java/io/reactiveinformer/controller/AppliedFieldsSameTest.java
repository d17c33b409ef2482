package io.reactiveinformer.controller;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class AppliedFieldsSameTest {

    @Test
    void comparesAsTheServerStores() {
        List<String> same = List.of("3 3.0", "1000 1e3", "{\"a\":null} {}", "[{\"a\":null}] [{}]", "0.10 0.1", "null null",
                "9007199254740993.0 9007199254740992");
        List<String> different = List.of("3 3.1", "9007199254740993 9007199254740992", "[null] []", "{} []", "\"3\" 3", "{\"a\":0} {}",
                "[1,2] [2,1]", "{\"a\":1} {\"a\":1,\"b\":1}");
        for (List<String> pairs : List.of(same, different)) {
            for (String pair : pairs) {
                JsonNode one = JsonMapper.shared().readTree(pair.substring(0, pair.indexOf(' ')));
                JsonNode other = JsonMapper.shared().readTree(pair.substring(pair.indexOf(' ') + 1));
                assertThat(AppliedFields.isSame(one, other)).as(pair).isEqualTo(pairs == same);
                assertThat(AppliedFields.isSame(other, one)).as(pair).isEqualTo(pairs == same);
            }
        }
    }
}
