package io.reactiveinformer.spring.test;

import io.reactiveinformer.test.FakeApiServer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.util.ClassUtils;

/** Has the log of a {@link FakeApiServer} that is a bean printed below the failure of a test. */
final class FakeApiServerLog implements TestExecutionListener {

    @Override
    public void afterTestMethod(TestContext test) {
        Throwable failure = test.getTestException();
        if (failure != null && test.hasApplicationContext()
                && ClassUtils.isPresent("io.reactiveinformer.test.FakeApiServer", test.getTestClass().getClassLoader())) {
            ServerLog.attach(failure, test.getApplicationContext());
        }
    }

    /** Not a failure itself, but a way to attach text to one. Only used if the class {@link FakeApiServer} is there. */
    private static final class ServerLog extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private ServerLog(String bean, FakeApiServer server) {
            super("log of " + bean + (server.log().isEmpty() ? ": no requests" : ":\n" + String.join("\n", server.log())),
                    null, false, false);
        }

        static void attach(Throwable failure, ListableBeanFactory beans) {
            beans.getBeansOfType(FakeApiServer.class, false, false)
                    .forEach((bean, server) -> failure.addSuppressed(new ServerLog(bean, server)));
        }
    }
}
