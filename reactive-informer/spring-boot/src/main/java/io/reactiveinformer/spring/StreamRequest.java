package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;

/**
 * What one browser asks a {@link RowStream} for. Immutable.
 *
 * @param position up to where it has received the rows, null if it comes for the first time; may be any text
 * @param namespace the namespace of its objects; null for all, and for objects without a namespace
 * @param labels selects by labels; the fields and shards of a selector are ignored
 * @param rights which objects it may see: all rows are told anew with each predicate. It should emit one at once, as those of {@code
 *     Permissions} do: before the first nothing is told. Equal predicates share their rows
 */
public record StreamRequest(
        @Nullable String position, @Nullable String namespace, Selector labels, Flux<? extends Predicate<? super ObjectKey>> rights) {

    /** Sees all. */
    static final Predicate<ObjectKey> ALL = key -> true;

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final int MOST_LABELS = 1_000;

    /**
     * Reads the header {@code Last-Event-ID}, or the parameter {@code lastEventId}; and the parameters {@code namespace}, and {@code labels}
     * with a selector as {@code app=web,tier!=db}. Others are ignored. The browser sees all, unless {@link #withRights} says otherwise.
     *
     * @throws ResponseStatusException with 400, if a parameter is malformed
     */
    public static StreamRequest of(HttpHeaders headers, MultiValueMap<String, String> query) {
        String last = headers.getFirst("Last-Event-ID");
        String namespace = query.getFirst("namespace");
        String labels = query.getFirst("labels");
        if (namespace != null && !namespace.isEmpty() && !NAMESPACE.matcher(namespace).matches()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "the parameter namespace is no name of a namespace");
        }
        return new StreamRequest(last == null || last.isEmpty() ? query.getFirst("lastEventId") : last, namespace == null || namespace.isEmpty() ? null : namespace,
                labels == null ? Selector.any() : selector(labels), Flux.just(ALL));
    }

    private static Selector selector(String labels) {
        if (labels.length() > MOST_LABELS) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "the parameter labels is longer than " + MOST_LABELS + " characters");
        }
        try {
            return Selector.labels(labels);
        } catch (IllegalArgumentException malformed) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "the parameter labels: " + malformed.getMessage(), malformed);
        }
    }

    /** A copy for a browser that may see these objects only, as {@code permissions.rights(user, type, "list")} emits them. */
    public StreamRequest withRights(Flux<? extends Predicate<? super ObjectKey>> of) {
        return new StreamRequest(position, namespace, labels, of);
    }
}
