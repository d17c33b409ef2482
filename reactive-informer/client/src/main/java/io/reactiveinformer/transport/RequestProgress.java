package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.reactiveinformer.internal.Causes;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.NettyPipeline;

/**
 * How far one request has got. Over HTTP/2 a server may say that it has not looked at a request: with a GOAWAY whose last stream is an
 * earlier one, or with a RST_STREAM that says REFUSED_STREAM. Netty reports both as events of the stream, and then closes it; Reactor Netty
 * reports only that it was closed.
 *
 * <p>Reactor Netty logs each request that is lost before its answer, with a stack trace, and then reports the same failure to the caller,
 * which decides what to log. It logs nothing for a request that the caller has cancelled. So the failure goes to {@link #lost} first.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#name-request-reliability">RFC 9113: request reliability</a>
 */
final class RequestProgress {

    private static final String NAME = "reactive-informer.progress";

    private final Sinks.One<Throwable> lost = Sinks.one();
    private volatile boolean begun;
    private volatile boolean refused;
    private volatile boolean answered;
    private volatile @Nullable ConnectionEnd connection;

    /** The request is about to be sent on {@code channel}, a connection or an HTTP/2 stream of one. */
    void begun(Channel channel) {
        begun = true;
        if (channel instanceof Http2StreamChannel) {
            connection = ConnectionEnd.of(channel.parent());
        }
        if (channel.pipeline().get(NAME) != null) {
            channel.pipeline().remove(NAME); // that of an earlier request on this connection
        }
        channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, NAME, new Ends());
    }

    /** Emits why the connection or stream has failed, if that is after the request was sent and before its answer. */
    Mono<Throwable> lost() {
        return lost.asMono();
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
        Http2Exception noStream = Causes.find(failure, Http2Exception.class);
        return noStream != null && noStream.error() == Http2Error.REFUSED_STREAM;
    }

    /** Reactor Netty found two connections in a row that were closing when they were to be used. */
    private static boolean isFull(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Error while acquiring from ");
    }

    /** Why this client closed the HTTP/2 connection; null if it did not. */
    @Nullable String whyWeClosed(Duration pingTimeout) {
        ConnectionEnd end = connection;
        if (end == null) {
            return null;
        }
        Http2Exception garbage = end.garbage;
        return garbage != null ? "the server's answer is not HTTP/2: " + garbage.getMessage() : !end.closed ? null
                : "no answer to a ping within " + TransportFailures.text(pingTimeout) + "; we closed the connection";
    }

    /** Sees the events of one connection or stream, for one request. */
    private final class Ends extends ChannelDuplexHandler {

        private boolean sent;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            sent = true; // before that, Reactor Netty may use another connection
            var unused = context.write(message, promise.unvoid().addListener(done -> {
                if (!done.isSuccess()) {
                    isLost(done.cause());
                }
            }));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpResponse response && response.decoderResult().isFailure()
                    && isLost(response.decoderResult().cause())) {
                ReferenceCountUtil.release(message);
                return;
            }
            context.fireChannelRead(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            isLost(new ClosedChannelException());
            context.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!isLost(cause)) {
                context.fireExceptionCaught(cause);
            }
        }

        private boolean isLost(Throwable cause) {
            if (!sent || answered) {
                return false;
            }
            lost.tryEmitValue(cause); // the first counts
            return true;
        }

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
     * Sees why this client closes an HTTP/2 connection that has streams, which Reactor Netty's streams do not say: it cannot read what
     * comes, or a ping was not answered. Stands between the connection's codec and the handler that pings: a connection that is closed by
     * its peer, or by the codec, is not closed through this handler.
     */
    private static final class ConnectionEnd extends ChannelDuplexHandler {

        private volatile boolean closed;
        private volatile @Nullable Http2Exception garbage;

        /** That of {@code connection}, installed if need be; null if nothing pings there. On the connection's event loop. */
        static @Nullable ConnectionEnd of(Channel connection) {
            ChannelPipeline pipeline = connection.pipeline();
            ConnectionEnd present = pipeline.get(ConnectionEnd.class);
            if (present != null || pipeline.get(NettyPipeline.IdleTimeoutHandler) == null) {
                return present;
            }
            var installed = new ConnectionEnd();
            pipeline.addBefore(NettyPipeline.IdleTimeoutHandler, "reactive-informer.connection-end", installed);
            return installed;
        }

        /** Each stream fails with its connection, and says why; Netty would log the connection's failure once more, with a stack trace. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof Http2Exception unreadable) {
                garbage = unreadable;
            } else if (!(cause instanceof IOException)) {
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
