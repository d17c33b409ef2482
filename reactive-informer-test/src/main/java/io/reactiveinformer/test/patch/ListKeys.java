package io.reactiveinformer.test.patch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * By what items of a list are told apart, by the list's name: the built-in types use each name for one kind of list, with the exceptions named
 * here. Lists that are not named are replaced as a whole.
 */
public final class ListKeys {

    private static final Map<String, List<String>> KEYS = new HashMap<>();

    static {
        for (String list : List.of(
                "containers", "initContainers", "ephemeralContainers", "volumes", "env", "imagePullSecrets", "secrets", "schedulingGates",
                "resourceClaims", "webhooks", "validations")) {
            KEYS.put(list, List.of("name"));
        }
        KEYS.put("volumeMounts", List.of("mountPath"));
        KEYS.put("volumeDevices", List.of("devicePath"));
        KEYS.put("hostAliases", List.of("ip"));
        KEYS.put("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable"));
        KEYS.put("conditions", List.of("type"));
        KEYS.put("addresses", List.of("type"));
        KEYS.put("taints", List.of("key", "effect"));
        KEYS.put("ownerReferences", List.of("uid"));
        KEYS.put("podIPs", List.of("ip"));
        KEYS.put("hostIPs", List.of("ip"));
        KEYS.put("containerStatuses", List.of("name"));
    }

    /** Lists of plain values that are sets. */
    private static final Set<String> SETS = Set.of("finalizers");

    private ListKeys() {}

    /**
     * The key of a list, or null if the list is one value.
     *
     * @param items of either side, by which ports of containers and of services are told apart
     */
    static @Nullable List<String> of(String list, JsonNode... items) {
        if (list.equals("ports")) {
            boolean ofContainer = Arrays.stream(items)
                    .anyMatch(array -> array.size() > 0 && array.get(0).has("containerPort"));
            boolean ofService = Arrays.stream(items).anyMatch(array -> array.size() > 0 && array.get(0).has("port"));
            return ofContainer ? List.of("containerPort", "protocol") : ofService ? List.of("port", "protocol") : null;
        }
        return KEYS.get(list);
    }

    static boolean isSet(String list) {
        return SETS.contains(list);
    }
}
