package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** An object as it is sent. The server demands {@code apiVersion} and {@code kind} of custom resources, which callers often leave out. */
final class Manifest {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private Manifest() {}

    /** Adds {@code apiVersion} and {@code kind} of the type if {@code json}, an object, lacks them; everything else stays byte for byte. */
    static byte[] complete(byte[] json, ResourceType<?> type) {
        boolean hasVersion = false;
        boolean hasKind = false;
        boolean isEmpty = true;
        try (JsonParser parser = MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("an object of " + type + " must be written as a JSON object");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                isEmpty = false;
                hasVersion |= name.equals("apiVersion");
                hasKind |= name.equals("kind");
                parser.nextToken();
                parser.skipChildren();
            }
        }
        var missing = new StringBuilder();
        if (!hasVersion) {
            missing.append("\"apiVersion\":\"").append(type.apiVersion()).append("\",");
        }
        if (!hasKind && type.kind() != null) {
            missing.append("\"kind\":\"").append(type.kind()).append("\",");
        }
        return missing.isEmpty() ? json : insert(missing, json, isEmpty);
    }

    private static byte[] insert(StringBuilder members, byte[] json, boolean last) {
        if (last) {
            members.setLength(members.length() - 1);
        }
        var complete = new ByteArrayOutputStream(json.length + members.length());
        complete.write('{');
        complete.writeBytes(members.toString().getBytes(StandardCharsets.UTF_8));
        int brace = 0;
        while (json[brace] != '{') {
            brace++;
        }
        complete.write(json, brace + 1, json.length - brace - 1);
        return complete.toByteArray();
    }
}
