package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.resource.ResourceType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/** The two kinds of objects that properties are read from. */
enum ConfigKind {
    CONFIGMAP("ConfigMap"),
    SECRET("Secret");

    private final String kind;

    ConfigKind(String kind) {
        this.kind = kind;
    }

    ResourceType<Entries> type() {
        return (this == SECRET ? ResourceType.of(V1Secret.class) : ResourceType.of(V1ConfigMap.class)).as(Entries.class);
    }

    /** The text of an entry. */
    String decoded(String value) {
        return this == SECRET ? new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8) : value;
    }

    @Override
    public String toString() {
        return kind;
    }

    /**
     * The part of an object that is cached. A change of anything else, such as a label, changes no property.
     *
     * @param data as the server sends it: in a Secret, in base64
     * @param binaryData of a ConfigMap, in base64; {@code kubectl create configmap --from-file} puts a file there that is not UTF-8
     */
    record Entries(Map<String, String> data, Map<String, String> binaryData) {

        static final Entries NONE = new Entries(Map.of(), Map.of());

        Entries {
            data = Objects.requireNonNullElse(data, Map.of());
            binaryData = Objects.requireNonNullElse(binaryData, Map.of());
        }

        boolean has(String name) {
            return data.containsKey(name) || binaryData.containsKey(name);
        }

        /**
         * The text of a file.
         *
         * @throws CharacterCodingException if it is not UTF-8
         */
        String file(String name, ConfigKind kind) throws CharacterCodingException {
            String value = data.get(name);
            if (value != null && kind == CONFIGMAP) {
                return value;
            }
            byte[] bytes = Base64.getDecoder().decode(value != null ? value : Objects.requireNonNull(binaryData.get(name)));
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }

        /** Without the values. */
        @Override
        public String toString() {
            return data.keySet().toString();
        }
    }
}
