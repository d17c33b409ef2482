package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.apiserver.internal.server.Health;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Describes when a fault happens; the last call decides which fault, and sets it on the server. By default it happens once, to the next
 * request, at the start of the answer.
 */
public final class FaultSetup {

    private final Faults faults;
    private final String name;
    private final Predicate<ApiRequest> which;
    private int skip;
    private int times = 1;
    private boolean optional;
    private Point point = Point.START;

    FaultSetup(Faults faults, String name, Predicate<ApiRequest> which) {
        this.faults = faults;
        this.name = name;
        this.which = which;
    }

    /** A copy of this for requests in this namespace only. */
    public FaultSetup in(String namespace) {
        FaultSetup narrower =
                new FaultSetup(faults, name + " in " + namespace, which.and(request -> namespace.equals(request.namespace())));
        narrower.skip = skip;
        narrower.times = times;
        narrower.optional = optional;
        narrower.point = point;
        return narrower;
    }

    /** Leaves the first {@code n} such requests unaffected. */
    public FaultSetup skip(int n) {
        skip = n;
        return this;
    }

    /** The fault happens to at most {@code n} requests. The default is 1. */
    public FaultSetup times(int n) {
        times = n;
        return this;
    }

    /** The fault happens to every such request until {@link Fault#disarm}. */
    public FaultSetup always() {
        return times(Integer.MAX_VALUE);
    }

    /** The fault need not happen: {@link Faults#verifyHappened}, which the JUnit extension calls, does not fail if it never does. */
    public FaultSetup optional() {
        optional = true;
        return this;
    }

    /** Sets the place in the answer at which the fault happens; the next call gives the unit. */
    public After after(long n) {
        return new After(n);
    }

    /** The unit of a place in the answer. */
    public final class After {
        private final long n;

        private After(long n) {
            this.n = n;
        }

        /** After this number of events of the watch, bookmarks included. */
        public FaultSetup events() {
            point = new Point(n, Point.Unit.EVENTS);
            return FaultSetup.this;
        }

        /** After this number of bytes of the body. */
        public FaultSetup bytes() {
            point = new Point(n, Point.Unit.BYTES);
            return FaultSetup.this;
        }
    }

    /** The connection breaks: at the place of {@link #after}, by default at the start of the answer's body. */
    public Fault cut(Cut way) {
        return add(Effects.cut(point, way));
    }

    /** The connection is reset without an answer; the request is not handled. */
    public Fault refuse() {
        return add(Effects.refuse());
    }

    /** The answer, headers included, is delayed by this much of the server's time; so is the handling of the request. */
    public Fault delay(Duration delay) {
        return add(Effects.delay(delay, faults.scheduler()));
    }

    /**
     * The answer stops without an end: at its start, by default, without headers and without handling the request; else at the place of
     * {@link #after}.
     */
    public Fault stall() {
        return add(Effects.stall(point));
    }

    /** The answer ends at the place of {@link #after} as if it were complete. */
    public Fault truncate() {
        return add(Effects.truncate(point));
    }

    /** One event, or the first part of a list, is neither JSON nor a protocol buffer. */
    public Fault garble() {
        return add(Effects.change("garbled", events("garbled"), Bodies::garbled));
    }

    /** One event is sent twice. */
    public Fault duplicate() {
        return add(Effects.change("duplicated", events("duplicated"), Bodies::doubled));
    }

    /** One event is sent after the next one, if that is of another object. */
    public Fault reorder() {
        return add(Effects.reorder(events("reordered")));
    }

    /** The version is too old: on a watch an ERROR event after status 200, at the place of {@link #after}; elsewhere HTTP status 410. */
    public Fault expire() {
        return add(Effects.expire(point));
    }

    /** HTTP status 410, on a watch too, as older servers sent it. */
    public Fault gone() {
        return status(ApiFailure.expired("too old resource version"));
    }

    /** 429 with Retry-After in seconds, as plain text: the words of the filter in front of the API. */
    public Fault tooManyRequests(Duration retryAfter) {
        return add(Effects.tooManyRequests(retryAfter));
    }

    /** A refusal in plain text, as proxies and Go's own handlers send it. */
    public Fault plainText(int code, String text) {
        return add(Effects.text(code + " as text", code, text));
    }

    /** 429 with a Status: a custom resource whose definition has just changed. */
    public Fault initializing() {
        return status(ApiFailure.tryAgain(429, "TooManyRequests", "storage is (re)initializing", 1));
    }

    /** 503 with Retry-After: the server has just started. */
    public Fault notReady() {
        return status(ApiFailure.tryAgain(
                503, "ServiceUnavailable", "the request has been made before all known HTTP paths have been installed, please try again",
                5));
    }

    /** 429 as plain text, on a connection that is closed after it: the server is about to end. */
    public Fault shuttingDown() {
        return add(Effects.shuttingDown());
    }

    /**
     * 500 with a list of checks, of which these fail: an answer of {@code /livez} and {@code /readyz}, as while a server starts.
     *
     * @throws IllegalArgumentException if no server has one of these checks
     */
    public Fault checksFail(String... checks) {
        Set<String> failing = Set.of(checks);
        Health.require(failing);
        return add(Effects.checksFail(failing));
    }

    Fault storeDown() {
        return add(StoreOutage.effect(faults.scheduler()));
    }

    /** 500 with a Status. */
    public Fault internalError() {
        return status(500, "InternalError", "Internal error occurred: on command");
    }

    /** 504 with a Status that says that the requested version is from the future. */
    public Fault tooLargeVersion() {
        return status(ApiFailure.tooLarge("99999999", 1));
    }

    /** Any refusal with a Status. */
    public Fault status(int code, String reason, String message) {
        return status(ApiFailure.of(code, reason, message));
    }

    private Fault status(ApiFailure failure) {
        return add(Effects.status(failure));
    }

    /** A watch that is accepted and ends at once, in order. */
    public Fault endAtOnce() {
        return add(Effects.endAtOnce());
    }

    /** A streaming list that never sends the bookmark that ends its initial events. */
    public Fault withholdInitialEventsEnd() {
        return add(Effects.withoutEndMark());
    }

    /** All history is forgotten before the request is handled. */
    public Fault compact() {
        return add(Effects.compact(faults.host("compaction")));
    }

    /** The server restarts instead of handling the request: all connections are reset, this one too, and history is forgotten. */
    public Fault restart() {
        return add(Effects.restart(faults.host("a restart")));
    }

    /** As {@link #restart}, but the latest {@code events} of each type's history are kept, as when another server takes over. */
    public Fault restartKeeping(int events) {
        return add(Effects.restartKeeping(faults.host("a restart"), events));
    }

    /** As {@link #restart}, on an older store: changes since the backup are undone, and versions decrease. */
    public Fault restore(Backup backup) {
        return add(Effects.restore(faults.host("a restore"), backup));
    }

    /**
     * The server does not handle the request but answers with this object as if it had, as client-go's reactors do. Other clients see no
     * change.
     *
     * @param object YAML or JSON text, a tree or a model class; if it is a Status with a code of 300 or more, it is a refusal
     * @throws IllegalArgumentException if a text is not exactly one object
     */
    public Fault answer(Object object) {
        ObjectNode tree = object instanceof CharSequence text ? only(YamlText.read(text.toString()))
                : object instanceof ObjectNode given ? given.deepCopy() : ModelObjects.tree(object);
        return add(Effects.answer(tree));
    }

    private static ObjectNode only(List<JsonNode> documents) {
        if (documents.size() != 1 || !(documents.get(0) instanceof ObjectNode object)) {
            throw new IllegalArgumentException("an answer is one object, was " + documents.size() + " documents");
        }
        return object;
    }

    private long events(String what) {
        if (point.unit() != Point.Unit.EVENTS) {
            throw new IllegalStateException("an event is " + what + " after(n).events(), not after(n).bytes()");
        }
        return point.count();
    }

    private Fault add(Effect effect) {
        return faults.add(new Fault(name + " " + effect.name(), which, request -> effect, skip, times), optional);
    }
}
