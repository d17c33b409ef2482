package io.reactiveinformer.kafka;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives all classes the same broker. It starts for the first class, and is closed after the last one. A topic belongs to one test. */
final class SharedBroker implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Broker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(Namespace.create(SharedBroker.class))
                .getOrComputeIfAbsent(Broker.class, none -> new Broker(), Broker.class);
    }
}
