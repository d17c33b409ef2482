package io.reactiveinformer;

import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Fails the build for each buffer that was collected before it was released; Netty by itself only logs that.
 *
 * <p>A leak shows once the garbage collector has run, so the class that fails need not be the one that leaked: the report's access records
 * tell, with {@code -Dtest.leaks=paranoid}. The last look, after a collection of its own, comes when all classes of a JVM are through; Surefire
 * reports an error of that JVM.
 */
public final class NettyLeaks implements LauncherSessionListener, AfterAllCallback {

    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    /** Before any class of Netty asks for its detector. */
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // abstract, so it must be here
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval, long maxActive) {
                return new Recorder<>(resource, samplingInterval);
            }
        });
    }

    @Override
    public void afterAll(ExtensionContext context) {
        check();
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        for (int round = 0; round < 3; round++) {
            System.gc();
            LockSupport.parkNanos(20_000_000); // until the collector has filed its references
            Unpooled.directBuffer(1).release(); // the detector reports when the next tracked buffer is made; heap ones are not
        }
        check();
    }

    private static void check() {
        if (!LEAKS.isEmpty()) {
            String report = String.join("\n", LEAKS);
            LEAKS.clear();
            throw new AssertionError("Netty resources were not released:\n" + report);
        }
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {

        Recorder(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected void reportTracedLeak(String resource, String records) {
            super.reportTracedLeak(resource, records);
            LEAKS.add(resource + records);
        }

        @Override
        protected void reportUntracedLeak(String resource) {
            super.reportUntracedLeak(resource);
            LEAKS.add(resource);
        }
    }
}
