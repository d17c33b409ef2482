package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

/**
 * How far one request has got. Over HTTP/2 a server may say that it has not looked at a request: with a GOAWAY whose last stream is an
 * earlier one, or with a RST_STREAM that says REFUSED_STREAM. Netty reports both as events of the stream, and then closes it; Reactor Netty
 * reports only that it was closed.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#name-request-reliability">RFC 9113: request reliability</a>
 */
final class RequestProgress {

    private volatile boolean begun;
    private volatile boolean refused;
    private volatile boolean answered;
    private volatile @Nullable UnansweredPings pings;

    /** The request is about to be sent on {@code channel}, a connection or an HTTP/2 stream of one. */
    void begun(Channel channel) {
        begun = true;
        if (channel instanceof Http2StreamChannel) {
            pings = UnansweredPings.of(channel.parent());
            channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, "reactive-informer.refusals", new Refusals());
        }
    }

    void answered() {
        answered = true;
    }

    /** Whether the request was sent, or a part of it. */
    boolean isBegun() {
        return begun;
    }

    boolean isAnswered() {
        return answered;
    }

    /**
     * Whether the request may be sent again, whatever it changes, as the server has not looked at it.
     *
     * @param failure how the request ended
     */
    boolean isRefused(Throwable failure) {
        return refused || (begun ? wasNoStream(failure) : failure.getClass() == IOException.class && isFull(failure));
    }

    /** The connection took no more streams when the request was about to be sent: nothing was. */
    private static boolean wasNoStream(Throwable failure) {
        Http2Exception noStream = TransportFailures.find(failure, Http2Exception.class);
        return noStream != null && noStream.error() == Http2Error.REFUSED_STREAM;
    }

    /** Reactor Netty found two connections in a row that were closing when they were to be used. */
    private static boolean isFull(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Error while acquiring from ");
    }

    /** Whether this client closed the connection, since the server did not answer a ping. */
    boolean wasPingUnanswered() {
        UnansweredPings seen = pings;
        return seen != null && seen.closedTheConnection();
    }

    /** Sees the events of one stream. */
    private final class Refusals extends ChannelInboundHandlerAdapter {

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2GoAwayFrame // sent to the streams that are later than its last one
                    || event instanceof Http2ResetFrame reset && reset.errorCode() == Http2Error.REFUSED_STREAM.code()) {
                refused = true;
            }
            context.fireUserEventTriggered(event);
        }
    }

    /**
     * Sees whether this client closes an HTTP/2 connection that has streams. The only reason to do so is a ping that was not answered, and
     * Reactor Netty's streams do not say so. Stands between the connection's codec and the handler that pings: a connection that is closed by
     * its peer, or by the codec, is not closed through this handler.
     */
    private static final class UnansweredPings extends ChannelDuplexHandler {

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
}
