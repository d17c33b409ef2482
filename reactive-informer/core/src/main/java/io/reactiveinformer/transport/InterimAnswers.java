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
 * Skips what a server says before it answers, such as {@code 103 Early Hints} and {@code 102 Processing}: any number of such messages may come, and
 * a client that does not want them ignores them, but not for ever. Reactor Netty does so for {@code 100 Continue} only, and would take the others
 * for the answer.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-informational-1xx">RFC 9110: informational 1xx</a>
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

    private static final String NAME = "reactive-informer.interim-answers";

    /** Most such messages before one answer. Servers send a few; one that works for an hour and says so each ten seconds is at 360. */
    private static final int MOST = 1000;

    private boolean skipping;
    private int skipped;
    private boolean givenUp;

    /** On the way of what {@code channel}, an HTTP/1.1 connection or an HTTP/2 stream, receives. */
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

    /** Once: what has been read already still comes. */
    private void giveUp(ChannelHandlerContext context) {
        if (!givenUp) {
            givenUp = true;
            context.fireExceptionCaught(new ProtocolException("more than " + MOST + " messages came before an answer"));
            var unused = context.close(); // what comes of it, nobody waits for
        }
    }

    /** Who changes the protocol says no more in this one: that is an answer, if an unexpected one. */
    private static boolean isInterim(HttpResponse response) {
        return response.decoderResult().isSuccess()
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
}
