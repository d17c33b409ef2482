package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.resource.ResourceType;
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
     */
    record Entries(Map<String, String> data) {

        static final Entries NONE = new Entries(Map.of());

        Entries {
            data = Objects.requireNonNullElse(data, Map.of());
        }

        /** Without the values. */
        @Override
        public String toString() {
            return data.keySet().toString();
        }
    }
}
