package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.leader.LeaderElector;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.ResolvableType;

/** The operators of an application that has none. */
final class TestOperators {

    private static final DefaultListableBeanFactory EMPTY = new DefaultListableBeanFactory();

    static final Operators NONE = new Operators(
            EMPTY.getBeanProvider(ResolvableType.forClass(Controller.class)),
            EMPTY.getBeanProvider(ControllerManager.class),
            EMPTY.getBeanProvider(LeaderElector.class));

    private TestOperators() {}
}
