package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

/**
 * Sees whether this client closes an HTTP/2 connection that has streams. The only reason to do so is a ping that was not answered, and
 * Reactor Netty's streams do not say so. Stands between the connection's codec and the handler that pings: a connection that is closed by
 * its peer, or by the codec, is not closed through this handler.
 */
final class UnansweredPings extends ChannelDuplexHandler {

    private volatile boolean closed;

    /** That of {@code connection}, installed if need be; null if nothing pings there. On the connection's event loop. */
    static @Nullable UnansweredPings of(Channel connection) {
        ChannelPipeline pipeline = connection.pipeline();
        UnansweredPings present = pipeline.get(UnansweredPings.class);
        if (present != null || pipeline.get(NettyPipeline.IdleTimeoutHandler) == null) {
            return present;
        }
        var installed = new UnansweredPings();
        pipeline.addBefore(NettyPipeline.IdleTimeoutHandler, "reactive-informer.unanswered-pings", installed);
        return installed;
    }

    boolean closedTheConnection() {
        return closed;
    }

    /** Each stream fails with its connection, and says why; Netty would log the connection's failure once more, with a stack trace. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            context.fireExceptionCaught(cause);
        }
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        closed = true;
        var unused = context.close(promise); // the promise tells
    }
}
