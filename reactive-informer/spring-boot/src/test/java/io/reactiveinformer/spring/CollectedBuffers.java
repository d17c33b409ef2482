package io.reactiveinformer.spring;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A web server whose buffers are of the heap, to be collected, for tests whose client leaves in the midst of events or messages:
 * Spring forgets the buffer that it has just filled when it is cancelled in that moment. That is not ours to mend, and not what these
 * tests look for.
 */
@Configuration(proxyBeanMethods = false)
public class CollectedBuffers {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> collectedBuffers() {
        var buffers = new UnpooledByteBufAllocator(false, true);
        return factory -> factory.addServerCustomizers(server -> server.childOption(ChannelOption.ALLOCATOR, buffers));
    }
}
