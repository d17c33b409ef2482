package io.reactiveinformer.apiserver.internal.server;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** Finds duplicate fields in the objects of a JSON text; a tree keeps only the last of them. */
final class DuplicateFields {

    private final JsonParser parser;
    private final List<String> found = new ArrayList<>();

    private DuplicateFields(JsonParser parser) {
        this.parser = parser;
    }

    /** @return their paths, such as {@code spec.ports[0].name} */
    static List<String> in(byte[] json) {
        try (JsonParser parser = JsonMapper.shared().createParser(json)) {
            var fields = new DuplicateFields(parser);
            fields.value(parser.nextToken(), "");
            return fields.found;
        }
    }

    private void value(JsonToken token, String path) {
        if (token == JsonToken.START_OBJECT) {
            object(path);
        } else if (token == JsonToken.START_ARRAY) {
            int i = 0;
            for (JsonToken element = parser.nextToken(); element != JsonToken.END_ARRAY; element = parser.nextToken()) {
                value(element, path + "[" + i++ + "]");
            }
        }
    }

    private void object(String path) {
        Set<String> names = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
            if (!names.add(name)) {
                found.add(name);
            }
            value(parser.nextToken(), name);
        }
    }
}
