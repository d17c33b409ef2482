package io.reactiveinformer.test.internal;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * While JUnit runs, clients are only for clusters that a test names. A test that forgets to name its fake server would otherwise write to
 * the cluster that kubectl uses, or to the one that its build runs in. JUnit finds this listener on the class path.
 */
public final class NamedClustersOnly implements LauncherSessionListener {

    private static final String FORBIDDEN = "io.reactiveinformer.detect.forbidden";

    /** Called by JUnit. */
    public NamedClustersOnly() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (System.getProperty(FORBIDDEN) == null) {
            System.setProperty(FORBIDDEN, "this test names no cluster, and must not use that of kubectl or of its pod by accident. "
                    + "Name one: ClusterConfig.of(server.url()) for a fake server, ClusterConfig.kubeconfig(file) for another, or a context "
                    + "of kubectl's files by ClusterConfig.detect().context(\"kind-test\"). To let all tests use whatever kubectl would, run "
                    + "them with the system property " + FORBIDDEN + " set to an empty text");
        }
    }
}
