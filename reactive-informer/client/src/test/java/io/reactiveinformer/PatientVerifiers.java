package io.reactiveinformer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.test.StepVerifier;

/**
 * A {@link StepVerifier} that waits looks every ten nanoseconds whether it is through, for which it takes a whole processor from what it
 * waits for: a tenth of what the tests took. Here it looks every millisecond, and at once when it is through.
 */
public final class PatientVerifiers implements LauncherSessionListener {

    private static final String WAITS = "/reactor/test/DefaultStepVerifierBuilder$DefaultVerifySubscriber.class";
    private static final byte LONG_CONSTANT = 5;
    private static final AtomicBoolean PATIENT = new AtomicBoolean();

    /** Before the class is loaded. Tests of extensions open sessions within this one. */
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (!PATIENT.compareAndSet(false, true)) {
            return;
        }
        try (InputStream file = StepVerifier.class.getResourceAsStream(WAITS)) {
            byte[] patient = file.readAllBytes();
            ByteBuffer.wrap(patient).putLong(place(patient), 1_000_000);
            MethodHandles.privateLookupIn(StepVerifier.class, MethodHandles.lookup()).defineClass(patient);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Where the one constant of this class is that is a long 10. */
    private static int place(byte[] file) {
        int found = 0;
        for (int at = 0; at < file.length - Long.BYTES; at++) {
            if (file[at] == LONG_CONSTANT && ByteBuffer.wrap(file).getLong(at + 1) == 10) {
                if (found > 0) {
                    throw new IllegalStateException("two constants of 10 in " + WAITS + "; which one is the pause?");
                }
                found = at + 1;
            }
        }
        if (found == 0) {
            throw new IllegalStateException("no constant of 10 in " + WAITS + "; perhaps this class is no longer needed");
        }
        return found;
    }
}
