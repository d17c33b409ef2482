package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the server is well: a list of checks, in the order of a server of 1.36. */
public final class Health {

    /** What can be asked. */
    public static final Set<String> PATHS = Set.of("/healthz", "/livez", "/readyz");

    /** Its name, behind the paths that have it; without any, all have it. */
    private static final List<String> CHECKS = Resources.text(Health.class, "checks.txt").lines().toList();

    private Health() {}

    /** Accepts the path of all checks, and that of one of them. Not called on an event loop at first: the checks are read then. */
    static Predicate<String> paths() {
        return path -> PATHS.stream().anyMatch(all -> path.equals(all) || checks(all).anyMatch(check -> path.equals(all + "/" + check)));
    }

    static Answer of(ApiRequest request) {
        return Answer.text(200, request.query().has("verbose") ? checks(request, Set.of()) + "passed\n" : "ok");
    }

    /** The answer to such a request while these checks fail. */
    public static Answer failed(ApiRequest request, Set<String> failing) {
        return Answer.text(500, checks(request, failing) + "failed\n");
    }

    /** @throws IllegalArgumentException if no server has one of these checks */
    public static void require(Set<String> checks) {
        List<String> unknown = checks.stream().filter(check -> CHECKS.stream().noneMatch(line -> name(line).equals(check))).toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no such check: " + unknown + "; see /livez?verbose and /readyz?verbose");
        }
    }

    private static String name(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }

    private static String checks(ApiRequest request, Set<String> failing) {
        return checks(request.path()).map(check -> failing.contains(check) ? "[-]" + check + " failed: reason withheld\n" : "[+]" + check + " ok\n")
                .collect(Collectors.joining("", "", request.path().substring(1) + " check "));
    }

    private static Stream<String> checks(String path) {
        return CHECKS.stream().filter(check -> check.indexOf(' ') < 0 || check.contains(path.substring(1))).map(Health::name);
    }
}
