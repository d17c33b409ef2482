package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Compresses streaming lists for clients that accept gzip. Each event is a gzip member of its own, sent in pieces that are cut anywhere.
 */
public final class GzipMembers {

    private static final int MOST_CUTS = 3;

    private GzipMembers() {}

    /**
     * A handler that compresses the streaming lists of {@code handler}.
     *
     * @param seed the seed of the cuts, which are the same in each run
     */
    public static RequestHandler around(RequestHandler handler, long seed) {
        return request -> handler.handle(request).map(answer -> request.isStreamingList() && Compression.accepted(request.http())
                && answer.status() == 200 ? compressed(answer, seed) : answer);
    }

    private static Answer compressed(Answer answer, long seed) {
        var random = new Random(seed);
        return answer.body(answer.body().concatMapIterable(event -> pieces(event, random), 1))
                .with("Content-Encoding", "gzip")
                .with("Vary", "Accept-Encoding");
    }

    private static List<ByteBuf> pieces(ByteBuf event, Random random) {
        byte[] member = Compression.gzip(Answer.take(event));
        List<ByteBuf> pieces = new ArrayList<>();
        int from = 0;
        for (int cuts = random.nextInt(MOST_CUTS + 1); cuts > 0 && from < member.length - 1; cuts--) {
            int to = from + 1 + random.nextInt(member.length - from - 1);
            pieces.add(Unpooled.wrappedBuffer(member, from, to - from));
            from = to;
        }
        pieces.add(Unpooled.wrappedBuffer(member, from, member.length - from));
        return pieces;
    }
}
