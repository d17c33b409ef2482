package io.reactiveinformer.demo.dashboard;

import java.net.InetSocketAddress;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses requests of other sites. A browser allows any page to send requests to this machine. So a request to another name than this
 * machine's (a name that was bound to this address afterwards) is refused, and so is a request of a page of another origin. Only the page
 * itself may be linked to.
 */
final class Guard implements WebFilter {

    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set("Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.setCacheControl("no-store");
        if (!isToThisMachine(exchange.getRequest())) {
            exchange.getResponse().setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
            return exchange.getResponse().setComplete();
        }
        if (!isThePage(exchange.getRequest()) && isFromElsewhere(exchange.getRequest())) {
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        }
        return chain.filter(exchange);
    }

    private static boolean isToThisMachine(ServerHttpRequest request) {
        InetSocketAddress host = request.getHeaders().getHost();
        return host != null && THIS_MACHINE.contains(host.getHostString());
    }

    private static boolean isThePage(ServerHttpRequest request) {
        return request.getMethod().name().equals("GET") && request.getPath().value().equals("/");
    }

    /** Whether a page of another origin sent the request. Browsers name the origin; other clients do not. */
    private static boolean isFromElsewhere(ServerHttpRequest request) {
        String origin = request.getHeaders().getOrigin();
        String site = request.getHeaders().getFirst("Sec-Fetch-Site");
        return origin != null && !origin.equals("http://" + request.getHeaders().getFirst(HttpHeaders.HOST))
                || site != null && !site.equals("same-origin") && !site.equals("none");
    }
}
