package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The coordinates of the model classes of {@code client-java-api} on the server. */
final class ModelTypes {

    /** @param className the simple name of the class; all classes are in one package */
    record Entry(String className, String group, String version, String plural, String kind, ResourceType.Scope scope) {

        /** Reads a row of {@link #ROWS}. */
        private static Stream<Entry> parse(String row) {
            String[] cells = row.split(" ", -1);
            return Arrays.stream(cells).skip(3).map(cell -> entry(cells[0], cells[1], cells[2], cell));
        }

        private static Entry entry(String group, String version, String scope, String cell) {
            int colon = cell.indexOf(':');
            String kind = cell.substring(colon + 1);
            String plain = kind.toLowerCase(Locale.ROOT);
            String plural = plain.equals("endpoints") ? plain
                    : plain.endsWith("s") ? plain + "es"
                    : plain.endsWith("y") ? plain.substring(0, plain.length() - 1) + "ies" : plain + "s";
            return new Entry(cell.substring(0, Math.max(0, colon)) + "V" + version.substring(1) + kind, group.equals("core") ? "" : group,
                    version, plural, kind, scope.equals("namespaced") ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
        }
    }

    /**
     * Of {@code client-java-api} 27: group, version, scope, and the kinds that have these; before a colon what the class's name has before
     * the version. Of the versions of one resource, the one that a server prefers comes first. In the code rather than in a file, so that a
     * type lookup never reads from disk.
     */
    private static final String ROWS = """
            core v1 namespaced Binding ConfigMap Endpoints Core:Event LimitRange PersistentVolumeClaim Pod \
            PodTemplate ReplicationController ResourceQuota Secret ServiceAccount Service
            core v1 cluster ComponentStatus Namespace Node PersistentVolume
            admissionregistration.k8s.io v1 cluster MutatingAdmissionPolicy MutatingAdmissionPolicyBinding \
            MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding \
            ValidatingWebhookConfiguration
            admissionregistration.k8s.io v1beta1 cluster MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
            admissionregistration.k8s.io v1alpha1 cluster MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
            apiextensions.k8s.io v1 cluster CustomResourceDefinition
            apiregistration.k8s.io v1 cluster APIService
            apps v1 namespaced ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
            authentication.k8s.io v1 cluster SelfSubjectReview TokenReview
            authorization.k8s.io v1 namespaced LocalSubjectAccessReview
            authorization.k8s.io v1 cluster SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
            autoscaling v2 namespaced HorizontalPodAutoscaler
            autoscaling v1 namespaced HorizontalPodAutoscaler
            batch v1 namespaced CronJob Job
            certificates.k8s.io v1 cluster CertificateSigningRequest
            certificates.k8s.io v1beta1 cluster ClusterTrustBundle
            certificates.k8s.io v1alpha1 cluster ClusterTrustBundle
            certificates.k8s.io v1beta1 namespaced PodCertificateRequest
            coordination.k8s.io v1beta1 namespaced LeaseCandidate
            coordination.k8s.io v1alpha2 namespaced LeaseCandidate
            coordination.k8s.io v1 namespaced Lease
            discovery.k8s.io v1 namespaced EndpointSlice
            events.k8s.io v1 namespaced Events:Event
            flowcontrol.apiserver.k8s.io v1 cluster FlowSchema PriorityLevelConfiguration
            internal.apiserver.k8s.io v1alpha1 cluster StorageVersion
            networking.k8s.io v1 cluster IngressClass IPAddress ServiceCIDR
            networking.k8s.io v1 namespaced Ingress NetworkPolicy
            networking.k8s.io v1beta1 cluster IPAddress ServiceCIDR
            node.k8s.io v1 cluster RuntimeClass
            policy v1 namespaced PodDisruptionBudget
            rbac.authorization.k8s.io v1 cluster ClusterRoleBinding ClusterRole
            rbac.authorization.k8s.io v1 namespaced RoleBinding Role
            resource.k8s.io v1 cluster DeviceClass ResourceSlice
            resource.k8s.io v1beta2 cluster DeviceClass DeviceTaintRule ResourceSlice
            resource.k8s.io v1beta1 cluster DeviceClass ResourceSlice
            resource.k8s.io v1alpha3 cluster DeviceTaintRule ResourcePoolStatusRequest
            resource.k8s.io v1 namespaced Resource:ResourceClaim ResourceClaimTemplate
            resource.k8s.io v1beta2 namespaced ResourceClaim ResourceClaimTemplate
            resource.k8s.io v1beta1 namespaced ResourceClaim ResourceClaimTemplate
            scheduling.k8s.io v1alpha2 namespaced PodGroup Workload
            scheduling.k8s.io v1 cluster PriorityClass
            storage.k8s.io v1 cluster CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass
            storage.k8s.io v1 namespaced CSIStorageCapacity
            storage.k8s.io v1beta1 cluster VolumeAttributesClass
            storagemigration.k8s.io v1beta1 cluster StorageVersionMigration
            """;

    private static final String MODELS = V1ObjectMeta.class.getPackageName();
    private static final List<Entry> ENTRIES = ROWS.lines().flatMap(Entry::parse).toList();
    private static final Map<String, Entry> BY_CLASS = ENTRIES.stream().collect(Collectors.toMap(Entry::className, Function.identity()));

    private static final Pattern VERSION = Pattern.compile("^V\\d+((alpha|beta)\\d+)?");

    private ModelTypes() {}

    static List<Entry> entries() {
        return ENTRIES;
    }

    static Entry entry(Class<?> modelClass) {
        Entry entry = modelClass.getPackageName().equals(MODELS) ? BY_CLASS.get(modelClass.getSimpleName()) : null;
        if (entry == null) {
            throw new IllegalArgumentException("no resource is known for " + modelClass.getName()
                    + "; name it with ResourceType.of(group, version, plural, scope, " + modelClass.getSimpleName() + ".class)");
        }
        return entry;
    }

    /** The simple name of a class; that of a model class without its version. */
    static String kind(Class<?> objectClass) {
        String name = objectClass.getSimpleName();
        if (!objectClass.getPackageName().equals(MODELS)) {
            return name;
        }
        Entry entry = BY_CLASS.get(name);
        return entry == null ? VERSION.matcher(name).replaceFirst("") : entry.kind();
    }

    /**
     * Passes by classes that an older {@code client-java-api} does not have.
     *
     * @param version null for the version that servers prefer
     */
    static Optional<ResourceType<?>> find(String group, @Nullable String version, String plural) {
        return entries(group, plural)
                .filter(entry -> version == null || entry.version().equals(version))
                .flatMap(entry -> modelClass(entry).stream())
                .findFirst()
                .map(ResourceType::of);
    }

    /** Of a built-in type; empty if there is no model. Loads no class: a native image has only those that are registered. */
    static Optional<ResourceType.Scope> scope(String group, String plural) {
        return entries(group, plural).findFirst().map(Entry::scope);
    }

    private static Stream<Entry> entries(String group, String plural) {
        return ENTRIES.stream().filter(entry -> entry.group().equals(group) && entry.plural().equals(plural));
    }

    /** Empty if {@code client-java-api} on the class path does not have it. */
    static Optional<Class<?>> modelClass(Entry entry) {
        try {
            return Optional.of(Class.forName(MODELS + "." + entry.className(), false, V1ObjectMeta.class.getClassLoader()));
        } catch (ClassNotFoundException missing) {
            return Optional.empty();
        }
    }
}
