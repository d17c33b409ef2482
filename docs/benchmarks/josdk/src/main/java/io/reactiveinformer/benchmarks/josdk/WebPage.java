package io.reactiveinformer.benchmarks.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The guide's {@code WebPage}, in the form that the SDK wants. */
@Group("example.com")
@Version("v1")
public class WebPage extends CustomResource<WebPage.Spec, WebPage.Status> implements Namespaced {

    private static final long serialVersionUID = 1;

    public static class Spec {
        public String html;
        public boolean exposed;
    }

    public static class Status {
        public String htmlConfigMap;
        public String areWeGood;
        public String errorMessage;
    }
}
