package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.Delivery;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class PodSocket {

    @Bean
    HandlerMapping sockets(Informer<V1Pod> pods, JsonMapper mapper) {
        WebSocketHandler changes = browser -> Mono.firstWithSignal(
                browser.receive().then(),                                                           // it leaves
                browser.send(pods.changes(Delivery.conflated().named("socket"))
                        .map(change -> browser.textMessage(mapper.writeValueAsString(change)))));
        return new SimpleUrlHandlerMapping(Map.of("/socket", changes), -1);                         // before the controllers
    }
}
