package io.reactiveinformer.spring;

import java.lang.reflect.Constructor;
import org.springframework.test.context.TestContextManager;

/**
 * Runs a test class of Spring as Spring's extension for JUnit does: that one needs JUnit 6, and our tests use 5.
 *
 * @param <T> the test class, whose instance is given to the test
 */
public final class SpringTest<T> implements AutoCloseable {

    private final TestContextManager manager;
    private final T instance;

    private SpringTest(TestContextManager manager, T instance) {
        this.manager = manager;
        this.instance = instance;
    }

    /** Begins the class: a test instance with its application context. */
    public static <T> SpringTest<T> of(Class<T> testClass) throws Exception {
        var manager = new TestContextManager(testClass);
        manager.beforeTestClass();
        Constructor<T> constructor = testClass.getDeclaredConstructor();
        constructor.setAccessible(true);
        T instance = constructor.newInstance();
        manager.prepareTestInstance(instance);
        return new SpringTest<>(manager, instance);
    }

    /** The instance, with its fields injected. */
    public T instance() {
        return instance;
    }

    /** Ends a test method with {@code failure}, to which listeners may add. */
    public void fails(String method, Throwable failure) throws Exception {
        manager.afterTestMethod(instance, instance.getClass().getDeclaredMethod(method), failure);
    }

    /** Ends the class. */
    @Override
    public void close() {
        try {
            manager.afterTestClass();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
