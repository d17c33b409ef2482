package io.reactiveinformer.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;

/**
 * Lets an HTTP/2 connection carry what all of its streams may hold. A reader who pauses holds up to a stream's window of what came for it, and
 * that counts for the connection too; Netty's own window of a connection is that of two streams, and a third reader would wait for two who
 * pause. What a connection may hold is bounded by its streams then, at {@link #STREAMS} times {@link #STREAM}.
 */
final class ConnectionWindow extends ChannelInboundHandlerAdapter {

    /** Bytes that one stream may have under way: what a list needs to be fast over a long line. */
    static final int STREAM = 1 << 20;
    /** Most streams of a connection, as the API server has it; others allow more. */
    static final int STREAMS = 100;
    /** Twice, since Netty tells the other side of what was read only when that is half of the window. */
    private static final int WIDTH = 2 * STREAMS * STREAM;

    @Override
    public void channelActive(ChannelHandlerContext context) throws Http2Exception {
        context.fireChannelActive(); // it may be only now that it is known what is spoken
        Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
        if (codec != null) {
            Http2Connection connection = codec.connection();
            connection.local().flowController().incrementWindowSize(connection.connectionStream(), WIDTH);
            context.channel().flush();
        }
        context.pipeline().remove(this);
    }
}
