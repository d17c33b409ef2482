package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.Query;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a list or watch, checked as the server checks them.
 *
 * @param version as it was sent; empty for the most recent state
 * @param limit 0 for none
 * @param timeoutSeconds null for the server's choice
 */
record ListOptions(
        String version, String match, int limit, String continuation, boolean sendInitialEvents,
        boolean bookmarks, @Nullable Integer timeoutSeconds) {

    private static final String MATCH = "resourceVersionMatch";

    static ListOptions of(ApiRequest request) {
        Query query = request.query();
        List<Problem> wrong = request.verb() == Verb.WATCH ? wrongForWatch(query) : wrongForList(query);
        if (!wrong.isEmpty()) {
            throw ApiFailure.invalid("meta.k8s.io", "ListOptions", "", wrong);
        }
        Integer limit = query.integer("limit");
        return new ListOptions(
                query.text("resourceVersion"),
                query.text(MATCH),
                limit == null ? 0 : Math.max(0, limit),
                query.text("continue"),
                query.flag("sendInitialEvents"),
                query.flag("allowWatchBookmarks"),
                query.integer("timeoutSeconds"));
    }

    boolean anyVersion() {
        return version.equals("0");
    }

    /** Whether exactly this version is requested: explicitly, or by the older rule for a limit with a version and no match. */
    boolean exact() {
        return match.equals("Exact") || match.isEmpty() && limit > 0 && !version.isEmpty() && !anyVersion();
    }

    /** @return the version as a number; -1 for none */
    long number(boolean watch) {
        if (version.isEmpty()) {
            return -1;
        }
        if (!version.chars().allMatch(c -> c >= '0' && c <= '9') || version.length() > 18) {
            String message = "resourceVersion: Invalid value: \"" + version + "\": strconv.ParseUint: parsing \""
                    + version + "\": invalid syntax";
            throw watch ? ApiFailure.of(500, "", message) : ApiFailure.badRequest("invalid resource version: " + message);
        }
        return Long.parseLong(version);
    }

    private static List<Problem> wrongForList(Query query) {
        List<Problem> wrong = new ArrayList<>();
        String match = query.text(MATCH);
        if (!match.isEmpty()) {
            if (query.text("resourceVersion").isEmpty()) {
                wrong.add(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!query.text("continue").isEmpty()) {
                wrong.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
                wrong.add(unsupported(match, List.of("Exact", "NotOlderThan", "")));
            }
            if (match.equals("Exact") && query.text("resourceVersion").equals("0")) {
                wrong.add(forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (query.has("sendInitialEvents")) {
            wrong.add(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        return wrong;
    }

    private static List<Problem> wrongForWatch(Query query) {
        Set<Problem> wrong = new LinkedHashSet<>();
        String match = query.text(MATCH);
        boolean initial = query.has("sendInitialEvents");
        if (initial && !match.equals("NotOlderThan")) {
            wrong.add(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!match.isEmpty()) {
            if (!initial) {
                wrong.add(forbidden(MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (!match.equals("NotOlderThan")) {
                wrong.add(unsupported(match, List.of("NotOlderThan")));
            }
        }
        if (!query.text("continue").isEmpty()) {
            wrong.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
        }
        return List.copyOf(wrong);
    }

    private static Problem forbidden(String field, String message) {
        return new Problem("FieldValueForbidden", "Forbidden: " + message, field);
    }

    private static Problem unsupported(String value, List<String> supported) {
        String values = supported.stream().map(one -> "\"" + one + "\"").reduce((a, b) -> a + ", " + b).orElse("");
        return new Problem("FieldValueNotSupported", "Unsupported value: \"" + value + "\": supported values: " + values, MATCH);
    }
}
