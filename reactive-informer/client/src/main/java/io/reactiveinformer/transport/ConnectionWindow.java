package io.reactiveinformer.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;

/**
 * Makes the window of an HTTP/2 connection as large as those of all its streams. A paused reader leaves up to a stream's window of bytes
 * unread, which count for the connection too. Netty's own window of a connection is that of two streams, so a third reader would wait for
 * two paused ones. The unread bytes of a connection are then bounded by its streams, at {@link #STREAMS} times {@link #STREAM}.
 */
final class ConnectionWindow extends ChannelInboundHandlerAdapter {

    /** The window of one stream in bytes: what a list needs to be fast over a connection of high latency. */
    static final int STREAM = 1 << 20;
    /** Limit of streams of a connection, as the API server sets it; other servers allow more. */
    static final int STREAMS = 100;
    /** Twice, since Netty sends a window update only when half of the window has been read. */
    private static final int WIDTH = 2 * STREAMS * STREAM;

    @Override
    public void channelActive(ChannelHandlerContext context) throws Http2Exception {
        context.fireChannelActive(); // the protocol may be known only after this
        Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
        if (codec != null) {
            Http2Connection connection = codec.connection();
            connection.local().flowController().incrementWindowSize(connection.connectionStream(), WIDTH);
            context.channel().flush();
        }
        context.pipeline().remove(this);
    }
}
