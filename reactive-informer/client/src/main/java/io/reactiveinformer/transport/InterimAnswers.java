package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.net.ProtocolException;
import reactor.netty.NettyPipeline;

/**
 * Skips interim responses, such as {@code 103 Early Hints} and {@code 102 Processing}: a server may send any number of them before the
 * answer, and a client may ignore them, but not without end. Reactor Netty skips {@code 100 Continue} only, and would take the others for
 * the answer.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-informational-1xx">RFC 9110: informational 1xx</a>
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

    private static final String NAME = "reactive-informer.interim-answers";

    /**
     * Limit of interim responses before one answer. Servers send a few; one that works for an hour and sends one each ten seconds sends
     * 360.
     */
    private static final int MOST = 1000;

    private boolean skipping;
    private int skipped;
    private boolean givenUp;

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
            skipped = skipping || givenUp ? skipped + 1 : 0;
        }
        if (skipped > MOST) {
            ReferenceCountUtil.release(message);
            giveUp(context);
            return;
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

    /** Acts once: messages that were read already still arrive. */
    private void giveUp(ChannelHandlerContext context) {
        if (!givenUp) {
            givenUp = true;
            context.fireExceptionCaught(new ProtocolException("more than " + MOST + " messages came before an answer"));
            var unused = context.close(); // no caller waits for the result
        }
    }

    /** After 101 Switching Protocols no other response follows: it is an answer, if an unexpected one. */
    private static boolean isInterim(HttpResponse response) {
        return response.decoderResult().isSuccess()
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
}
