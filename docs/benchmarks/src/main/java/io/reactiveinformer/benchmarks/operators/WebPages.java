package io.reactiveinformer.benchmarks.operators;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.guide.samples.WebPageOperator;
import io.reactiveinformer.informer.InformerFactory;
import java.io.IOException;
import java.nio.file.Path;

/** Runs the guide's operator of web pages: {@code KUBECONFIG [WRITES]}, with the default limit of writes a second if none is given. */
public final class WebPages {

    private WebPages() {}

    public static void main(String... arguments) throws IOException {
        ClientOptions options = ClientOptions.defaults();
        if (arguments.length > 1) {
            options = options.withWriteLimit(Integer.parseInt(arguments[1]), options.writeBurst());
        }
        KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(Path.of(arguments[0])), options);
        InformerFactory informers = InformerFactory.create(client);
        new WebPageOperator(client, informers).controller().start();
        informers.start();
        while (System.in.read() >= 0) {
            // until the comparison ends
        }
        System.exit(0);
    }
}
