package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Knows callers and what each may do; by default, everybody is an administrator. Reviews of access are answered by its rules. */
public interface Authorizer {

    /** The user that sent the request, or that its sender acts as. */
    default Caller caller(ApiRequest request) {
        return new Caller("admin", List.of("system:masters", "system:authenticated"));
    }

    /** Why the caller may do this, or an empty text; null if it may not. */
    default @Nullable String allows(Caller caller, Action action) {
        return "";
    }

    /** What the caller may do in a namespace, as the status of a SelfSubjectRulesReview. */
    default ObjectNode rules(Caller caller, String namespace) {
        return everything();
    }

    /** The status of a SelfSubjectRulesReview of an administrator. */
    static ObjectNode everything() {
        return (ObjectNode) Json.read("""
                {"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}],
                "nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}],"incomplete":false}""");
    }
}
