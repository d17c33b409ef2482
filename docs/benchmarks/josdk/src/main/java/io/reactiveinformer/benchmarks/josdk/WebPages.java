package io.reactiveinformer.benchmarks.josdk;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import java.io.File;
import java.io.IOException;

/** Runs the SDK's operator of web pages: {@code KUBECONFIG [THREADS]}, with the SDK's own number of threads if none is given. */
public final class WebPages {

    private WebPages() {}

    public static void main(String... arguments) throws IOException {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        var operator = new Operator(settings -> {
            settings.withKubernetesClient(new KubernetesClientBuilder().withConfig(config).build())
                    .withStopOnInformerErrorDuringStartup(false);
            if (arguments.length > 1) {
                int threads = Integer.parseInt(arguments[1]);
                settings.withConcurrentReconciliationThreads(threads).withConcurrentWorkflowExecutorThreads(threads);
            }
        });
        operator.register(new WebPageReconciler());
        operator.start();
        while (System.in.read() >= 0) {
            // until the comparison ends
        }
        System.exit(0);
    }
}
