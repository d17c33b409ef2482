package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
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
        static Entry parse(String row) {
            String[] cells = row.split(" ", -1);
            return new Entry(
                    cells[0],
                    cells[1].equals("core") ? "" : cells[1],
                    cells[2],
                    cells[3],
                    cells[4],
                    cells[5].equals("namespaced") ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
        }
    }

    /**
     * Of {@code client-java-api} 27: class, group, version, plural, kind, scope. Of the versions of one resource, the one that a server
     * prefers comes first. In the code rather than in a file, so that a type lookup never reads from disk.
     */
    private static final String ROWS = """
            V1Binding core v1 bindings Binding namespaced
            V1ComponentStatus core v1 componentstatuses ComponentStatus cluster
            V1ConfigMap core v1 configmaps ConfigMap namespaced
            V1Endpoints core v1 endpoints Endpoints namespaced
            CoreV1Event core v1 events Event namespaced
            V1LimitRange core v1 limitranges LimitRange namespaced
            V1Namespace core v1 namespaces Namespace cluster
            V1Node core v1 nodes Node cluster
            V1PersistentVolumeClaim core v1 persistentvolumeclaims PersistentVolumeClaim namespaced
            V1PersistentVolume core v1 persistentvolumes PersistentVolume cluster
            V1Pod core v1 pods Pod namespaced
            V1PodTemplate core v1 podtemplates PodTemplate namespaced
            V1ReplicationController core v1 replicationcontrollers ReplicationController namespaced
            V1ResourceQuota core v1 resourcequotas ResourceQuota namespaced
            V1Secret core v1 secrets Secret namespaced
            V1ServiceAccount core v1 serviceaccounts ServiceAccount namespaced
            V1Service core v1 services Service namespaced
            V1MutatingAdmissionPolicy admissionregistration.k8s.io v1 mutatingadmissionpolicies MutatingAdmissionPolicy cluster
            V1beta1MutatingAdmissionPolicy admissionregistration.k8s.io v1beta1 mutatingadmissionpolicies MutatingAdmissionPolicy cluster
            V1alpha1MutatingAdmissionPolicy admissionregistration.k8s.io v1alpha1 mutatingadmissionpolicies MutatingAdmissionPolicy cluster
            V1MutatingAdmissionPolicyBinding admissionregistration.k8s.io v1 mutatingadmissionpolicybindings \
            MutatingAdmissionPolicyBinding cluster
            V1beta1MutatingAdmissionPolicyBinding admissionregistration.k8s.io v1beta1 mutatingadmissionpolicybindings \
            MutatingAdmissionPolicyBinding cluster
            V1alpha1MutatingAdmissionPolicyBinding admissionregistration.k8s.io v1alpha1 mutatingadmissionpolicybindings \
            MutatingAdmissionPolicyBinding cluster
            V1MutatingWebhookConfiguration admissionregistration.k8s.io v1 mutatingwebhookconfigurations MutatingWebhookConfiguration \
            cluster
            V1ValidatingAdmissionPolicy admissionregistration.k8s.io v1 validatingadmissionpolicies ValidatingAdmissionPolicy cluster
            V1ValidatingAdmissionPolicyBinding admissionregistration.k8s.io v1 validatingadmissionpolicybindings \
            ValidatingAdmissionPolicyBinding cluster
            V1ValidatingWebhookConfiguration admissionregistration.k8s.io v1 validatingwebhookconfigurations \
            ValidatingWebhookConfiguration cluster
            V1CustomResourceDefinition apiextensions.k8s.io v1 customresourcedefinitions CustomResourceDefinition cluster
            V1APIService apiregistration.k8s.io v1 apiservices APIService cluster
            V1ControllerRevision apps v1 controllerrevisions ControllerRevision namespaced
            V1DaemonSet apps v1 daemonsets DaemonSet namespaced
            V1Deployment apps v1 deployments Deployment namespaced
            V1ReplicaSet apps v1 replicasets ReplicaSet namespaced
            V1StatefulSet apps v1 statefulsets StatefulSet namespaced
            V1SelfSubjectReview authentication.k8s.io v1 selfsubjectreviews SelfSubjectReview cluster
            V1TokenReview authentication.k8s.io v1 tokenreviews TokenReview cluster
            V1LocalSubjectAccessReview authorization.k8s.io v1 localsubjectaccessreviews LocalSubjectAccessReview namespaced
            V1SelfSubjectAccessReview authorization.k8s.io v1 selfsubjectaccessreviews SelfSubjectAccessReview cluster
            V1SelfSubjectRulesReview authorization.k8s.io v1 selfsubjectrulesreviews SelfSubjectRulesReview cluster
            V1SubjectAccessReview authorization.k8s.io v1 subjectaccessreviews SubjectAccessReview cluster
            V2HorizontalPodAutoscaler autoscaling v2 horizontalpodautoscalers HorizontalPodAutoscaler namespaced
            V1HorizontalPodAutoscaler autoscaling v1 horizontalpodautoscalers HorizontalPodAutoscaler namespaced
            V1CronJob batch v1 cronjobs CronJob namespaced
            V1Job batch v1 jobs Job namespaced
            V1CertificateSigningRequest certificates.k8s.io v1 certificatesigningrequests CertificateSigningRequest cluster
            V1beta1ClusterTrustBundle certificates.k8s.io v1beta1 clustertrustbundles ClusterTrustBundle cluster
            V1alpha1ClusterTrustBundle certificates.k8s.io v1alpha1 clustertrustbundles ClusterTrustBundle cluster
            V1beta1PodCertificateRequest certificates.k8s.io v1beta1 podcertificaterequests PodCertificateRequest namespaced
            V1beta1LeaseCandidate coordination.k8s.io v1beta1 leasecandidates LeaseCandidate namespaced
            V1alpha2LeaseCandidate coordination.k8s.io v1alpha2 leasecandidates LeaseCandidate namespaced
            V1Lease coordination.k8s.io v1 leases Lease namespaced
            V1EndpointSlice discovery.k8s.io v1 endpointslices EndpointSlice namespaced
            EventsV1Event events.k8s.io v1 events Event namespaced
            V1FlowSchema flowcontrol.apiserver.k8s.io v1 flowschemas FlowSchema cluster
            V1PriorityLevelConfiguration flowcontrol.apiserver.k8s.io v1 prioritylevelconfigurations PriorityLevelConfiguration cluster
            V1alpha1StorageVersion internal.apiserver.k8s.io v1alpha1 storageversions StorageVersion cluster
            V1IngressClass networking.k8s.io v1 ingressclasses IngressClass cluster
            V1Ingress networking.k8s.io v1 ingresses Ingress namespaced
            V1IPAddress networking.k8s.io v1 ipaddresses IPAddress cluster
            V1beta1IPAddress networking.k8s.io v1beta1 ipaddresses IPAddress cluster
            V1NetworkPolicy networking.k8s.io v1 networkpolicies NetworkPolicy namespaced
            V1ServiceCIDR networking.k8s.io v1 servicecidrs ServiceCIDR cluster
            V1beta1ServiceCIDR networking.k8s.io v1beta1 servicecidrs ServiceCIDR cluster
            V1RuntimeClass node.k8s.io v1 runtimeclasses RuntimeClass cluster
            V1PodDisruptionBudget policy v1 poddisruptionbudgets PodDisruptionBudget namespaced
            V1ClusterRoleBinding rbac.authorization.k8s.io v1 clusterrolebindings ClusterRoleBinding cluster
            V1ClusterRole rbac.authorization.k8s.io v1 clusterroles ClusterRole cluster
            V1RoleBinding rbac.authorization.k8s.io v1 rolebindings RoleBinding namespaced
            V1Role rbac.authorization.k8s.io v1 roles Role namespaced
            V1DeviceClass resource.k8s.io v1 deviceclasses DeviceClass cluster
            V1beta2DeviceClass resource.k8s.io v1beta2 deviceclasses DeviceClass cluster
            V1beta1DeviceClass resource.k8s.io v1beta1 deviceclasses DeviceClass cluster
            V1beta2DeviceTaintRule resource.k8s.io v1beta2 devicetaintrules DeviceTaintRule cluster
            V1alpha3DeviceTaintRule resource.k8s.io v1alpha3 devicetaintrules DeviceTaintRule cluster
            ResourceV1ResourceClaim resource.k8s.io v1 resourceclaims ResourceClaim namespaced
            V1beta2ResourceClaim resource.k8s.io v1beta2 resourceclaims ResourceClaim namespaced
            V1beta1ResourceClaim resource.k8s.io v1beta1 resourceclaims ResourceClaim namespaced
            V1ResourceClaimTemplate resource.k8s.io v1 resourceclaimtemplates ResourceClaimTemplate namespaced
            V1beta2ResourceClaimTemplate resource.k8s.io v1beta2 resourceclaimtemplates ResourceClaimTemplate namespaced
            V1beta1ResourceClaimTemplate resource.k8s.io v1beta1 resourceclaimtemplates ResourceClaimTemplate namespaced
            V1alpha3ResourcePoolStatusRequest resource.k8s.io v1alpha3 resourcepoolstatusrequests ResourcePoolStatusRequest cluster
            V1ResourceSlice resource.k8s.io v1 resourceslices ResourceSlice cluster
            V1beta2ResourceSlice resource.k8s.io v1beta2 resourceslices ResourceSlice cluster
            V1beta1ResourceSlice resource.k8s.io v1beta1 resourceslices ResourceSlice cluster
            V1alpha2PodGroup scheduling.k8s.io v1alpha2 podgroups PodGroup namespaced
            V1PriorityClass scheduling.k8s.io v1 priorityclasses PriorityClass cluster
            V1alpha2Workload scheduling.k8s.io v1alpha2 workloads Workload namespaced
            V1CSIDriver storage.k8s.io v1 csidrivers CSIDriver cluster
            V1CSINode storage.k8s.io v1 csinodes CSINode cluster
            V1CSIStorageCapacity storage.k8s.io v1 csistoragecapacities CSIStorageCapacity namespaced
            V1StorageClass storage.k8s.io v1 storageclasses StorageClass cluster
            V1VolumeAttachment storage.k8s.io v1 volumeattachments VolumeAttachment cluster
            V1VolumeAttributesClass storage.k8s.io v1 volumeattributesclasses VolumeAttributesClass cluster
            V1beta1VolumeAttributesClass storage.k8s.io v1beta1 volumeattributesclasses VolumeAttributesClass cluster
            V1beta1StorageVersionMigration storagemigration.k8s.io v1beta1 storageversionmigrations StorageVersionMigration cluster
            """;

    private static final String MODELS = V1ObjectMeta.class.getPackageName();
    private static final List<Entry> ENTRIES = ROWS.lines().map(Entry::parse).toList();
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
