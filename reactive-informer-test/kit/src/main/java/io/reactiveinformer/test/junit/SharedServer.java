package io.reactiveinformer.test.junit;

import io.reactiveinformer.test.FakeApiServer;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A server that tests share. One of them has it at a time, in JUnit's parallel mode too: the others wait for their turn. Classes that
 * inherit its static field share it as well, as long as any of them runs.
 */
final class SharedServer {

    private final FakeApiServer server;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile @Nullable Thread thread; // of the test that has the turn
    private @Nullable Class<?> preparedFor;
    private final Runnable takeBack;
    private int users;

    /** @param takeBack clears the field, so that a later class that inherits it too finds no closed server there */
    SharedServer(FakeApiServer server, Runnable takeBack) {
        this.server = server;
        try {
            server.start();
        } catch (RuntimeException refused) {
            server.close();
            throw refused;
        }
        this.takeBack = takeBack;
    }

    FakeApiServer server() {
        return server;
    }

    /** There is one more user. Not for several threads at once; nor is {@link #unused}. */
    SharedServer used() {
        users++;
        return this;
    }

    /** There is one user less. True if it was the last one; the server is closed then. */
    boolean unused() {
        users--;
        if (users == 0) {
            server.close();
            takeBack.run();
        }
        return users == 0;
    }

    /**
     * Waits until no other test has this server.
     *
     * @throws IllegalStateException if the other test goes on only after this one, since both run on this thread
     */
    void await() throws InterruptedException {
        if (!turn.tryAcquire()) {
            if (thread == Thread.currentThread()) {
                throw new IllegalStateException("the thread of this test is within another test that has the same server, " + server.url()
                        + ": JUnit took this test up while that one waits for its own tasks. Use an instance field, or run the class by "
                        + "@Execution(SAME_THREAD)");
            }
            turn.acquire();
        }
        thread = Thread.currentThread();
    }

    void release() {
        thread = null;
        turn.release();
    }

    /** Whether the server does not have the first objects of this class. From now on it does. */
    boolean prepare(Class<?> testClass) {
        boolean changes = preparedFor != testClass;
        preparedFor = testClass;
        return changes;
    }
}
