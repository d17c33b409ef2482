package io.reactiveinformer.transport;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;
import io.reactiveinformer.transport.Connections.ConnectionWindow;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionWindowTest {

    /**
     * What was read and not acknowledged yet is up to half of it; what all streams but one may hold unread must fit into the other half.
     */
    @Test
    void isWideEnoughForAllStreamsToBeFull() {
        Http2FrameCodec codec = Http2FrameCodecBuilder.forClient()
                .initialSettings(new Http2Settings().initialWindowSize(ConnectionWindow.STREAM)).build();
        var channel = new EmbeddedChannel();
        channel.pipeline().addLast(codec, new ConnectionWindow());
        channel.pipeline().fireChannelActive();

        Http2Connection connection = codec.connection();
        int window = connection.local().flowController().windowSize(connection.connectionStream());
        assertThat(window / 2).isGreaterThan(ConnectionWindow.STREAMS * ConnectionWindow.STREAM);
        assertThat(channel.pipeline().get(ConnectionWindow.class)).as("its work is done").isNull();
        channel.finishAndReleaseAll();
    }

    @Test
    void leavesHttp1Alone() {
        var channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter(), new ConnectionWindow());
        channel.pipeline().fireChannelActive();
        assertThat(channel.pipeline().get(ConnectionWindow.class)).isNull();
        assertThat(channel.<Object>readOutbound()).isNull();
    }
}
