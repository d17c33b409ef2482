package io.reactiveinformer.apiserver.internal.cluster;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Thrown where a request cannot go on without the reply of a webhook. Whoever answers the request sends {@link #review}, outside of the
 * cluster's lock, hands over the reply, and begins the request anew, which finds the reply then. Has no stack trace.
 */
public final class WebhookCall extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * What came of the call.
     *
     * @param review missing if there is none
     * @param failure why there is none, in the words of the real server; empty if there is one
     */
    public record Reply(JsonNode review, String failure) {}

    private final transient JsonNode client;
    private final transient ObjectNode review;
    private final int seconds;
    private final transient Consumer<Reply> whenReplied;

    /**
     * @param client the {@code clientConfig} of the webhook
     * @param kind of the review
     * @param request of the review; gets a uid
     * @param seconds the time that the webhook has
     * @param whenReplied takes the reply; may throw an {@link ApiFailure}, which refuses the request
     */
    public WebhookCall(JsonNode client, String apiVersion, String kind, ObjectNode request, int seconds, Consumer<Reply> whenReplied) {
        super("a webhook is to be called", null, false, false);
        var random = ThreadLocalRandom.current(); // the one of UUID may block
        this.client = client;
        this.review = Json.object().put("kind", kind).put("apiVersion", apiVersion);
        var uid = new UUID(random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() >>> 2 | 1L << 63);
        review.set("request", request.put("uid", uid.toString()));
        this.seconds = seconds;
        this.whenReplied = whenReplied;
    }

    public JsonNode client() {
        return client;
    }

    public ObjectNode review() {
        return review;
    }

    public int seconds() {
        return seconds;
    }

    /** Hands over the reply. */
    public void replied(Reply reply) {
        whenReplied.accept(reply);
    }
}
