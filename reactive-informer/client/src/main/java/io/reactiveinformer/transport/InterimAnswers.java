package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;

/**
 * Skips interim responses, such as {@code 103 Early Hints} and {@code 102 Processing}: a server may send any number of them before the
 * answer, and a client may ignore them. They end no wait: without an answer, the time limit of {@link SilenceTimer} ends the exchange.
 * Reactor Netty skips {@code 100 Continue} only, and would take the others for the answer.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-informational-1xx">RFC 9110: informational 1xx</a>
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

    private static final String NAME = "reactive-informer.interim-answers";

    private boolean skipping;

    /** Installs the handler in {@code channel}, an HTTP/1.1 connection or an HTTP/2 stream, unless it is there. */
    static void skipOn(Channel channel) {
        if (channel.pipeline().get(NAME) == null) {
            channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, NAME, new InterimAnswers());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse response) {
            skipping = isInterim(response);
        }
        if (!skipping) {
            context.fireChannelRead(message);
            return;
        }
        boolean isWhole = message instanceof LastHttpContent;
        ReferenceCountUtil.release(message);
        if (isWhole) {
            skipping = false;
            context.read();
        }
    }

    /** After 101 Switching Protocols no other response follows: it is an answer, if an unexpected one. */
    private static boolean isInterim(HttpResponse response) {
        return response.decoderResult().isSuccess()
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
}
