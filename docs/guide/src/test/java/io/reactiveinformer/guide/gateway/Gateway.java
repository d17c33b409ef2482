package io.reactiveinformer.guide.gateway;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.store.Index;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@SpringBootApplication
@RestController
public class Gateway {

    static final Index<V1EndpointSlice, String> BY_SERVICE =
            Index.of("service", slice -> slice.getMetadata().getLabels().get("kubernetes.io/service-name"));
    private final WebClient backends = WebClient.create();
    private final AtomicInteger turn = new AtomicInteger();
    private final Informer<V1EndpointSlice> slices;

    Gateway(Informer<V1EndpointSlice> slices) {
        this.slices = slices;
        slices.addIndex(BY_SERVICE).subscribe();
    }

    @RequestMapping("/{service}/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> route(@PathVariable String service, ServerHttpRequest request) {
        List<String> ready = slices.lister().by(BY_SERVICE, service).list().stream()
                .filter(slice -> slice.getAddressType().equals("IPv4")).flatMap(Gateway::ready).sorted().toList();
        if (ready.isEmpty()) {
            return Mono.just(ResponseEntity.status(503).build());
        }
        String query = request.getURI().getRawQuery() == null ? "" : "?" + request.getURI().getRawQuery();
        String backend = ready.get(Math.floorMod(turn.getAndIncrement(), ready.size()));
        return backends.method(request.getMethod()).uri(URI.create("http://" + backend + request.getPath().subPath(2).value() + query))
                .headers(headers -> headers.addAll(request.getHeaders())).body(request.getBody(), DataBuffer.class)
                .retrieve().onStatus(any -> true, answer -> Mono.empty()).toEntityFlux(DataBuffer.class)
                .onErrorReturn(ResponseEntity.status(502).build());
    }

    private static Stream<String> ready(V1EndpointSlice slice) {
        return all(slice.getPorts()).map(port -> port.getPort()).filter(Objects::nonNull).limit(1)              // there may be none
                .flatMap(port -> all(slice.getEndpoints())
                        .filter(endpoint -> endpoint.getConditions() == null || !Boolean.FALSE.equals(endpoint.getConditions().getReady()))
                        .flatMap(endpoint -> all(endpoint.getAddresses()).limit(1))
                        .map(address -> address + ":" + port));
    }

    private static <T> Stream<T> all(List<T> list) {
        return Stream.ofNullable(list).flatMap(List::stream);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Gateway.class, arguments);
    }
}
