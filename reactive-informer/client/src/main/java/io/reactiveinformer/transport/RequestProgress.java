package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
}
