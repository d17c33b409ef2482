package io.reactiveinformer.guide;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.store.Index;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

@Component
class ApiTokens implements WebFilter {

    private static final Index<ApiToken, String> BY_HASH = Index.of("hash", ApiToken::hash);

    private final Informer<ApiToken> tokens;

    ApiTokens(Informer<ApiToken> tokens) {
        this.tokens = tokens;
        tokens.addIndex(BY_HASH).subscribe();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String header = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        if (header != null && header.startsWith("Bearer ") && isKnown(header.substring("Bearer ".length()))) {
            return chain.filter(exchange);
        }
        exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
        return exchange.getResponse().setComplete();
    }

    private boolean isKnown(String token) {
        return !tokens.lister().by(BY_HASH, ApiToken.hashOf(token)).keys().isEmpty();
    }
}
