package io.reactiveinformer.benchmarks.josdk;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;
import java.util.Map;

/**
 * The SDK's sample with managed dependents, {@code WebPageManagedDependentsReconciler}: the same dependents, label, condition, finalizer
 * and status, in fewer classes, and manifests in YAML that are read for each reconcile. One thing differs: the sample gives the ingress no
 * label, so that its informer does not receive it.
 */
@Workflow(dependents = {
    @Dependent(type = WebPageReconciler.Html.class),
    @Dependent(type = WebPageReconciler.Server.class),
    @Dependent(type = WebPageReconciler.Address.class),
    @Dependent(type = WebPageReconciler.Exposure.class, reconcilePrecondition = WebPageReconciler.Exposed.class)
})
public class WebPageReconciler implements Reconciler<WebPage>, Cleaner<WebPage> {

    static final String SELECTOR = "managed";

    @Override
    public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
        String configMap = context.getSecondaryResource(ConfigMap.class).orElseThrow().getMetadata().getName();
        return UpdateControl.patchStatus(withStatus(page, configMap, "Yes!", null));
    }

    @Override
    public ErrorStatusUpdateControl<WebPage> updateErrorStatus(WebPage page, Context<WebPage> context, Exception failure) {
        return ErrorStatusUpdateControl.patchStatus(withStatus(page, null, "No", failure.getMessage()));
    }

    @Override
    public DeleteControl cleanup(WebPage page, Context<WebPage> context) {
        return DeleteControl.defaultDelete();
    }

    private static WebPage withStatus(WebPage page, String configMap, String areWeGood, String errorMessage) {
        WebPage patch = new WebPage();
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(page.getMetadata().getName()).withNamespace(page.getMetadata().getNamespace()).build());
        patch.setStatus(new WebPage.Status());
        patch.getStatus().htmlConfigMap = configMap;
        patch.getStatus().areWeGood = areWeGood;
        patch.getStatus().errorMessage = errorMessage;
        return patch;
    }

    @KubernetesDependent(informer = @Informer(labelSelector = SELECTOR))
    public static class Html extends CRUDKubernetesDependentResource<ConfigMap, WebPage> {
        @Override
        protected ConfigMap desired(WebPage page, Context<WebPage> context) {
            ConfigMap map = read(ConfigMap.class, page, """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      name: $NAME-html
                    """);
            map.setData(Map.of("index.html", page.getSpec().html));
            return map;
        }
    }

    @KubernetesDependent(informer = @Informer(labelSelector = SELECTOR))
    public static class Server extends CRUDKubernetesDependentResource<Deployment, WebPage> {
        @Override
        protected Deployment desired(WebPage page, Context<WebPage> context) {
            return read(Deployment.class, page, """
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata:
                      name: $NAME
                    spec:
                      selector:
                        matchLabels:
                          app: $NAME
                      replicas: 1
                      template:
                        metadata:
                          labels:
                            app: $NAME
                        spec:
                          containers:
                          - name: nginx
                            image: nginx:1.29
                            ports:
                            - containerPort: 80
                            volumeMounts:
                            - name: html-volume
                              mountPath: /usr/share/nginx/html
                          volumes:
                          - name: html-volume
                            configMap:
                              name: $NAME-html
                    """);
        }
    }

    @KubernetesDependent(informer = @Informer(labelSelector = SELECTOR))
    public static class Address extends CRUDKubernetesDependentResource<Service, WebPage> {
        @Override
        protected Service desired(WebPage page, Context<WebPage> context) {
            return read(Service.class, page, """
                    apiVersion: v1
                    kind: Service
                    metadata:
                      name: $NAME
                    spec:
                      selector:
                        app: $NAME
                      ports:
                      - protocol: TCP
                        port: 80
                        targetPort: 80
                      type: NodePort
                    """);
        }
    }

    @KubernetesDependent(informer = @Informer(labelSelector = SELECTOR))
    public static class Exposure extends CRUDKubernetesDependentResource<Ingress, WebPage> {
        @Override
        protected Ingress desired(WebPage page, Context<WebPage> context) {
            return read(Ingress.class, page, """
                    apiVersion: networking.k8s.io/v1
                    kind: Ingress
                    metadata:
                      name: $NAME
                    spec:
                      rules:
                      - http:
                          paths:
                          - path: /
                            pathType: Prefix
                            backend:
                              service:
                                name: $NAME
                                port:
                                  number: 80
                    """);
        }
    }

    public static class Exposed implements Condition<Ingress, WebPage> {
        @Override
        public boolean isMet(DependentResource<Ingress, WebPage> dependent, WebPage page, Context<WebPage> context) {
            return page.getSpec().exposed;
        }
    }

    private static <T extends HasMetadata> T read(Class<T> type, WebPage page, String manifest) {
        T object = Serialization.unmarshal(manifest.replace("$NAME", page.getMetadata().getName()), type);
        object.getMetadata().setNamespace(page.getMetadata().getNamespace());
        object.getMetadata().setLabels(Map.of(SELECTOR, "true"));
        return object;
    }
}
