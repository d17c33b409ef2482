package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.Query;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.List;
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
        List<Problem> wrong = wrong(query, request.verb() == Verb.WATCH);
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

    private static List<Problem> wrong(Query query, boolean watch) {
        String match = query.text(MATCH);
        String version = query.text("resourceVersion");
        List<String> known = watch ? List.of("NotOlderThan") : List.of("Exact", "NotOlderThan", "");
        boolean initial = query.has("sendInitialEvents");
        boolean list = !watch && !match.isEmpty();
        boolean unknown = !match.isEmpty() && !known.contains(match);
        List<Problem> wrong = new ArrayList<>();
        add(watch && initial && !match.equals("NotOlderThan"), wrong,
                forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        add(watch && !match.isEmpty() && !initial, wrong,
                forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        add(list && version.isEmpty(), wrong, forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
        add(watch && unknown, wrong, unsupported(match, known));
        add((watch || list) && !query.text("continue").isEmpty(), wrong,
                forbidden("resourceVersionMatch is forbidden when continue is provided"));
        add(list && unknown, wrong, unsupported(match, known));
        add(list && match.equals("Exact") && version.equals("0"), wrong,
                forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        add(!watch && initial, wrong,
                new Problem("FieldValueForbidden", "Forbidden: sendInitialEvents is forbidden for list", "sendInitialEvents"));
        return wrong;
    }

    private static void add(boolean holds, List<Problem> wrong, Problem problem) {
        if (holds) {
            wrong.add(problem);
        }
    }

    private static Problem forbidden(String message) {
        return new Problem("FieldValueForbidden", "Forbidden: " + message, MATCH);
    }

    private static Problem unsupported(String value, List<String> supported) {
        String values = supported.stream().map(one -> "\"" + one + "\"").reduce((a, b) -> a + ", " + b).orElse("");
        return new Problem("FieldValueNotSupported", "Unsupported value: \"" + value + "\": supported values: " + values, MATCH);
    }
}
