#!/usr/bin/env python3
"""Makes rules.txt, what the server requires of single fields, from the types and markers of k8s.io/api, k8s.io/apimachinery and
k8s.io/apiextensions-apiserver.

    rules.py messages.txt API APIMACHINERY APIEXTENSIONS KUBERNETES/pkg/features/kube_features.go > rules.txt

messages.txt (of the readers) names the messages. A field is required if a marker says so, or if JSON never omits it and no marker says that it
is optional. An enum is the constants of a type with +enum or +k8s:enum. The declarative markers give bounds, formats and defaults. A field is disabled if its
feature is off. What the server does not enforce, though the source reads so, stands in NOT_ENFORCED.
"""
import glob, os, re, sys

table, api, machinery, extensions, features = sys.argv[1:6]
SCALARS = {'string': 'string', 'bool': 'bool', 'int32': 'int32', 'int64': 'int64', 'float64': 'float64', 'int': 'int', 'uint32': 'uint32'}
PACKAGES = {'metav1': 'v1', 'corev1': 'v1', 'apiv1': 'v1', 'core': 'v1', 'authenticationv1': 'v1'}
# Required by the letter, but the server takes objects without them (found by asking it), or the code checks them with messages of their own.
NOT_ENFORCED = {'flowcontrol.apiserver.k8s.io/v1.LimitResponse.queuing', 'flowcontrol.apiserver.k8s.io/v1.PriorityLevelConfigurationSpec.limited',
                'batch/v1.PodFailurePolicy.rules', 'v1.HTTPHeader.value', 'v1.LimitRangeSpec.limits', 'v1.TopologySelectorLabelRequirement.key', 'storage.k8s.io/v1.TokenRequest.audience',
                'v1.ScopedResourceSelectorRequirement.scopeName', 'v1.ScopedResourceSelectorRequirement.operator', 'autoscaling/v2.MetricTarget.type',
                'v1.Sysctl.value', 'storage.k8s.io/v1.CSIDriverSpec.tokenRequests', 'batch/v1.PodFailurePolicyOnExitCodesRequirement.values', 'batch/v1.SuccessPolicy.rules',
                'admissionregistration.k8s.io/v1.ServiceReference.name', 'admissionregistration.k8s.io/v1.ServiceReference.namespace',
                'apiextensions.k8s.io/v1.ServiceReference.name', 'apiextensions.k8s.io/v1.ServiceReference.namespace',
                 'v1.TypedLocalObjectReference.kind', 'v1.Taint.key', 'v1.Taint.effect', 'meta.k8s.io/v1.LabelSelectorRequirement.key',
                'meta.k8s.io/v1.LabelSelectorRequirement.operator', 'v1.NodeSelectorRequirement.key', 'v1.NodeSelectorRequirement.operator'}

# What the source says in code only. Messages of required fields have _ for blanks; range=, format= and the order of an enum are the server's.
IN_CODE = {
    'v1.PodSpec': {'containers': 'required unique=name', 'serviceAccountName nodeName priorityClassName runtimeClassName': 'format=subdomain', 'hostname subdomain': 'format=label',
                   'nodeSelector': 'format=labels', 'activeDeadlineSeconds': 'range=1-2147483647', 'restartPolicy': 'enum=Always,OnFailure,Never',
                   'dnsPolicy': 'enum=ClusterFirstWithHostNet,ClusterFirst,Default,None', 'preemptionPolicy': 'enum=PreemptLowerPriority,Never'},
    'v1.EnvFromSource': {'prefix': 'format=environment'},
    'v1.NFSVolumeSource': {'server': 'required', 'path': 'required format=absolute'},
    'v1.LocalVolumeSource': {'path': 'required'},
    'v1.ObjectFieldSelector': {'fieldPath': 'required', 'apiVersion': 'required'},
    'v1.ClientIPConfig': {'timeoutSeconds': 'minimum=1 maximum=86400'},
    'v1.PodDNSConfigOption': {'name': 'required=must_not_be_empty'},
    'admissionregistration.k8s.io/v1.ValidatingAdmissionPolicySpec': {'failurePolicy': 'enum=Fail,Ignore', 'matchConstraints': 'required',
                                                                      'matchConditions': 'unique=name', 'auditAnnotations': 'unique=key'},
    'admissionregistration.k8s.io/v1.ParamKind': {'apiVersion': 'required format=groupVersion', 'kind': 'required format=kind'},
    'admissionregistration.k8s.io/v1.NamedRuleWithOperations': {'resourceNames': 'format=pathSegment even-empty'},
    'admissionregistration.k8s.io/v1.Validation': {'expression': 'required',
                                                   'reason': 'enum=Forbidden,Invalid,RequestEntityTooLarge,Unauthorized'},
    'admissionregistration.k8s.io/v1.ValidatingAdmissionPolicyBindingSpec': {'policyName': 'required format=subdomain',
                                                                             'validationActions': 'required enum=Audit,Deny,Warn'},
    'admissionregistration.k8s.io/v1.ParamRef': {'name': 'format=pathSegment', 'parameterNotFoundAction': 'required enum=Deny,Allow'},
    'admissionregistration.k8s.io/v1.Variable': {'name': 'required format=identifier', 'expression': 'required'},
    'autoscaling/v2.CrossVersionObjectReference': {'kind name': 'required format=pathSegment'},
    'autoscaling/v2.ContainerResourceMetricSource': {'name target': 'required', 'container': 'required format=label'},
    'autoscaling/v2.HPAScalingPolicy': {'type': 'enum=Percent,Pods even-empty', 'value': 'above=zero even-empty', 'periodSeconds': 'above=zero even-empty maximum=1800'},
    'discovery.k8s.io/v1.ForNode': {'name': 'format=subdomain even-empty'},
    'admissionregistration.k8s.io/v1.MatchCondition': {'name': 'required format=key', 'expression': 'required'},
    'admissionregistration.k8s.io/v1.ServiceReference apiextensions.k8s.io/v1.ServiceReference': {'port': 'format=port'},
    'apps/v1.ControllerRevision': {'revision': 'minimum=0'},
    'v1.PodOS': {'name': 'enum=linux,windows'},
    'v1.PodSecurityContext': {'runAsUser runAsGroup fsGroup': 'range=0-2147483647'},
    'v1.SecurityContext': {'runAsUser runAsGroup': 'range=0-2147483647'},
    'v1.NodeSelector': {'nodeSelectorTerms': 'required=must_have_at_least_one_node_selector_term'},
    'v1.TopologySpreadConstraint': {'maxSkew': 'above=zero even-empty', 'topologyKey': 'required=can_not_be_empty'},
    'v1.Container': {'name': 'required format=label', 'ports': 'unique=name', 'image': 'required', 'terminationMessagePolicy': 'enum=File,FallbackToLogsOnError',
                     'restartPolicy': 'enum=Always,Never,OnFailure'},
    'v1.ContainerPort': {'hostPort': 'format=port', 'name': 'format=portName'},
    'v1.EnvVar': {'name': 'required format=environment'},
    'v1.ConfigMapKeySelector': {'key': 'required format=configKey'},
    'v1.SecretKeySelector': {'key': 'required format=configKey'},
    'v1.Probe': {'initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold': 'minimum=0'},
    'v1.Toleration': {'key': 'format=key', 'operator': 'enum=Equal,Exists', 'effect': 'enum=NoSchedule,PreferNoSchedule,NoExecute'},
    'v1.SecretVolumeSource': {'secretName': 'required'},
    'v1.ImageVolumeSource': {'reference': 'required'},
    'v1.EphemeralVolumeSource': {'volumeClaimTemplate': 'required'},
    'v1.ServicePort': {'name': 'format=label', 'appProtocol': 'format=key'},
    'v1.ServiceSpec': {'selector': 'format=labels'},
    'v1.EndpointPort': {'port': 'format=port', 'name': 'format=label', 'appProtocol': 'format=key'},
    'v1.EndpointAddress': {'hostname': 'format=label', 'nodeName': 'format=subdomain'},
    'v1.CSIPersistentVolumeSource': {'driver': 'required format=subdomain', 'volumeHandle': 'required'},
    'discovery.k8s.io/v1.Endpoint': {'addresses': 'required=must_contain_at_least_1_address maxItems=100', 'hostname': 'format=label',
                                     'nodeName': 'format=subdomain'},
    'networking.k8s.io/v1.IngressClassParametersReference': {'apiGroup': 'format=subdomain', 'kind name': 'required format=pathSegment',
                                                             'scope': 'enum=Cluster,Namespace', 'namespace': 'format=label even-empty'},
    'autoscaling/v2.MetricIdentifier': {'name': 'required format=pathSegment', 'selector': 'format=unchecked'},
    'v1.PersistentVolumeClaimSpec': {'storageClassName volumeAttributesClassName': 'format=subdomain', 'volumeMode': 'enum=Block,Filesystem immutable',
                                     'accessModes': 'in-whole enum=ReadOnlyMany,ReadWriteMany,ReadWriteOnce,ReadWriteOncePod'},
    'v1.Secret': {'type': 'immutable'},
    'networking.k8s.io/v1.NetworkPolicyPort': {'protocol': 'enum=TCP,UDP,SCTP', 'port': 'format=portOrName'},
    'networking.k8s.io/v1.NetworkPolicySpec': {'policyTypes': 'enum=Ingress,Egress'},
    'networking.k8s.io/v1.IngressTLS': {'secretName': 'format=subdomain'},
    'v1.PersistentVolumeSpec': {'storageClassName': 'format=subdomain',
                                'accessModes': 'in-whole enum=ReadOnlyMany,ReadWriteMany,ReadWriteOnce,ReadWriteOncePod'},
    'storage.k8s.io/v1.CSIDriverSpec': {'volumeLifecycleModes': 'in-whole enum=Persistent,Ephemeral', 'fsGroupPolicy': 'enum=File,None,ReadWriteOnceWithFSType',
                                     'nodeAllocatableUpdatePeriodSeconds': 'minimum=10'},
    'batch/v1.PodFailurePolicyOnPodConditionsPattern': {'type': 'format=key even-empty', 'status': 'enum=False,True,Unknown'},
    'v1.ContainerRestartRule': {'action': 'enum=Restart,RestartAllContainers even-empty'},
    'v1.VolumeNodeAffinity': {'required': 'required=must_specify_required_node_constraints'},
    'v1.HostAlias': {'ip': 'format=address even-empty'},
    'discovery.k8s.io/v1.ForZone': {'name': 'format=labelValue'},
    'networking.k8s.io/v1.IngressSpec': {'ingressClassName': 'format=subdomain'},
    'networking.k8s.io/v1.IngressClassSpec': {'controller': 'required format=domainPath immutable=first'},
    'networking.k8s.io/v1.IngressServiceBackend': {'name': 'required format=label'},
    'networking.k8s.io/v1.ServiceBackendPort': {'name': 'format=portName', 'number': 'format=port'},
    'discovery.k8s.io/v1.EndpointPort': {'name': 'format=noneOrLabel', 'appProtocol': 'format=key'},
    'discovery.k8s.io/v1.EndpointSlice': {'addressType': 'required enum=FQDN,IPv4,IPv6 immutable'},
    'storage.k8s.io/v1.StorageClass': {'reclaimPolicy': 'enum=Delete,Retain immutable=first'},
    'scheduling.k8s.io/v1.PriorityClass': {'preemptionPolicy': 'required enum=PreemptLowerPriority,Never immutable=first'},
    'autoscaling/v2.HPAScalingRules': {'selectPolicy': 'enum=Disabled,Max,Min', 'stabilizationWindowSeconds': 'minimum=0 maximum=3600',
                                        'policies': 'required=must_specify_at_least_one_Policy'},
    'autoscaling/v2.ResourceMetricSource': {'name': 'required=must_specify_a_resource_name'},
    'apps/v1.DeploymentSpec': {'replicas minReadySeconds revisionHistoryLimit progressDeadlineSeconds': 'minimum=0', 'selector': 'required'},
    'apps/v1.ReplicaSetSpec': {'replicas minReadySeconds': 'minimum=0', 'selector': 'required'},
    'apps/v1.DaemonSetSpec': {'minReadySeconds revisionHistoryLimit': 'minimum=0', 'selector': 'immutable=first whole-first'},
    'apps/v1.StatefulSetSpec': {'replicas minReadySeconds revisionHistoryLimit': 'minimum=0', 'serviceName': 'format=label created',
                             'volumeClaimTemplates': 'created'},
    'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy': {'whenDeleted whenScaled': 'enum=Retain,Delete'},
    'batch/v1.JobSpec': {'parallelism completions activeDeadlineSeconds backoffLimit ttlSecondsAfterFinished': 'minimum=0',
                         'completionMode': 'enum=NonIndexed,Indexed'},
    'batch/v1.CronJobSpec': {'startingDeadlineSeconds successfulJobsHistoryLimit failedJobsHistoryLimit': 'minimum=0',
                             'concurrencyPolicy': 'enum=Allow,Forbid,Replace'},
    'coordination.k8s.io/v1.LeaseSpec': {'leaseTransitions': 'minimum=0', 'leaseDurationSeconds': 'above=0'},
    'rbac.authorization.k8s.io/v1.RoleRef': {'name': 'required format=pathSegment'},
    'admissionregistration.k8s.io/v1.MutatingWebhook': {
        'name': 'required', 'sideEffects': 'required=must_specify_one_of_None,_NoneOnDryRun enum=None,NoneOnDryRun', 'failurePolicy': 'enum=Fail,Ignore',
        'matchPolicy': 'enum=Equivalent,Exact', 'admissionReviewVersions': 'required=must_specify_one_of_v1,_v1beta1',
        'reinvocationPolicy': 'enum=IfNeeded,Never', 'matchConditions': 'unique=name'},
    'admissionregistration.k8s.io/v1.ValidatingWebhook': {
        'name': 'required', 'sideEffects': 'required=must_specify_one_of_None,_NoneOnDryRun enum=None,NoneOnDryRun', 'failurePolicy': 'enum=Fail,Ignore',
        'matchPolicy': 'enum=Equivalent,Exact', 'admissionReviewVersions': 'required=must_specify_one_of_v1,_v1beta1', 'matchConditions': 'unique=name'},
    'admissionregistration.k8s.io/v1.Rule': {'apiGroups apiVersions resources': 'required', 'scope': 'enum=*,Cluster,Namespaced'},
    'admissionregistration.k8s.io/v1.RuleWithOperations': {'operations': 'required enum=*,CONNECT,CREATE,DELETE,UPDATE'},
    'apiextensions.k8s.io/v1.CustomResourceDefinitionSpec': {'group': 'required format=subdomain immutable',
                                                             'scope': 'required enum=Cluster,Namespaced immutable'},
    'apiextensions.k8s.io/v1.CustomResourceDefinitionNames': {'kind': 'required format=kind immutable', 'plural': 'required format=oldLabel immutable',
                                                              'singular': 'format=oldLabel', 'shortNames categories': 'format=oldLabel even-empty',
                                                              'listKind': 'format=kind'},
    'apiextensions.k8s.io/v1.CustomResourceDefinitionVersion': {'name': 'format=oldLabel even-empty'},
    'apiextensions.k8s.io/v1.CustomResourceColumnDefinition': {'name': 'required', 'type': 'required format=columnType', 'jsonPath': 'required format=path'},
    'apiextensions.k8s.io/v1.CustomResourceSubresourceScale': {'specReplicasPath': 'required format=specPath',
                                                               'statusReplicasPath': 'required format=statusPath', 'labelSelectorPath': 'format=path'},
}

# Fields that the server drops, though no marker says so.
DROPPED = {'v1.VolumeProjection.podCertificate', 'v1.Lifecycle.stopSignal', 'discovery.k8s.io/v1.Endpoint.deprecatedTopology', 'v1.NodeSpec.configSource',
           'v1.NodeStatus.config'}

# The fields that are checked before the others of their message, in this order; others follow in the order of Go.
FIRST = {
    'apps/v1.StatefulSetSpec': 'podManagementPolicy updateStrategy persistentVolumeClaimRetentionPolicy volumeClaimTemplates replicas minReadySeconds'
                               ' ordinals serviceName',
    'autoscaling/v2.HorizontalPodAutoscalerSpec autoscaling/v1.HorizontalPodAutoscalerSpec': 'minReplicas maxReplicas',
    'v1.NodeSelectorRequirement meta.k8s.io/v1.LabelSelectorRequirement v1.Toleration batch/v1.PodFailurePolicyOnExitCodesRequirement': 'operator',
    'v1.ScopedResourceSelectorRequirement': 'scopeName operator',
    'v1.PersistentVolumeSpec': 'accessModes capacity persistentVolumeReclaimPolicy nodeAffinity',
    'v1.PodSpec': 'volumes resourceClaims containers initContainers ephemeralContainers resources hostNetwork restartPolicy dnsPolicy nodeSelector'
                  ' securityContext imagePullSecrets affinity dnsConfig readinessGates schedulingGates topologySpreadConstraints serviceAccountName',
    'discovery.k8s.io/v1.EndpointSlice': 'addressType ports endpoints',
    'networking.k8s.io/v1.IngressSpec': 'defaultBackend rules tls',
    'batch/v1.JobSpec': 'parallelism completions activeDeadlineSeconds backoffLimit ttlSecondsAfterFinished maxFailedIndexes managedBy completionMode'
                        ' backoffLimitPerIndex podFailurePolicy successPolicy podReplacementPolicy template',
    'rbac.authorization.k8s.io/v1.Subject': 'name',
    'admissionregistration.k8s.io/v1.ServiceReference apiextensions.k8s.io/v1.ServiceReference': 'name',
    'admissionregistration.k8s.io/v1.MatchCondition': 'expression',
    'admissionregistration.k8s.io/v1.ValidatingAdmissionPolicySpec': 'failurePolicy paramKind matchConstraints matchConditions variables validations',
    'admissionregistration.k8s.io/v1.NamedRuleWithOperations': 'resourceNames',
    'v1.TopologySelectorLabelRequirement': 'values',
    'admissionregistration.k8s.io/v1.ValidatingWebhook admissionregistration.k8s.io/v1.MutatingWebhook':
        'name rules failurePolicy matchPolicy sideEffects timeoutSeconds namespaceSelector objectSelector reinvocationPolicy clientConfig'
        ' matchConditions',
    'apiextensions.k8s.io/v1.CustomResourceDefinitionSpec': 'group scope versions names validation subresources additionalPrinterColumns',
    'v1.ServicePort': 'name protocol port targetPort appProtocol',
    'storage.k8s.io/v1.CSIDriverSpec': 'attachRequired podInfoOnMount storageCapacity fsGroupPolicy tokenRequests volumeLifecycleModes',
    'v1.PersistentVolumeClaimSpec': 'selector accessModes',
    'rbac.authorization.k8s.io/v1.RoleBinding rbac.authorization.k8s.io/v1.ClusterRoleBinding': 'roleRef',
}
# Where fields stand that only the server's messages have, or that are checked in another place.
PLACES = {
    'v1.PodTemplateSpec': {'labels annotations': 'rank=0'},
    'policy/v1.PodDisruptionBudget': {'spec': 'whole-first'},
    'networking.k8s.io/v1.Ingress': {'spec': 'whole-first'},
    'admissionregistration.k8s.io/v1.ValidatingAdmissionPolicyBindingSpec': {'paramRef': 'whole-first'},
    'v1.Volume': {'name': 'rank=99'},
}

# The defaults that the source says in code only, as JSON without blanks: default[FIELD=VALUE] depends on a field beside it ([FIELD=]: that is unset).
EXTERNAL = 'default[type=NodePort]={0} default[type=LoadBalancer]={0}'
INTERNAL = EXTERNAL + ' default[type=ClusterIP]={0}'
WEBHOOK = {'failurePolicy': 'default="Fail"', 'matchPolicy': 'default="Equivalent"', 'namespaceSelector objectSelector': 'default={}',
           'timeoutSeconds': 'default=10', 'reinvocationPolicy': 'default="Never"'}
DEFAULTS = {
    'v1.Container v1.EphemeralContainerCommon': {'terminationMessagePath': 'default="/dev/termination-log"', 'terminationMessagePolicy': 'default="File"'},
    'v1.PodSpec': {'dnsPolicy': 'default="ClusterFirst"', 'restartPolicy': 'default="Always"', 'securityContext': 'default={}',
                   'terminationGracePeriodSeconds': 'default=30', 'schedulerName': 'default="default-scheduler"'},
    'v1.Probe': {'timeoutSeconds successThreshold': 'default=1', 'periodSeconds': 'default=10', 'failureThreshold': 'default=3'},
    'v1.HTTPGetAction': {'path': 'default="/"', 'scheme': 'default="HTTP"'},
    'v1.ObjectFieldSelector': {'apiVersion': 'default="v1"'},
    'v1.SecretVolumeSource v1.ConfigMapVolumeSource v1.DownwardAPIVolumeSource v1.ProjectedVolumeSource': {'defaultMode': 'default=420'},
    'v1.ServiceAccountTokenProjection': {'expirationSeconds': 'default=3600'},
    'v1.HostPathVolumeSource': {'type': 'default=""'},
    'v1.AzureDiskVolumeSource': {'cachingMode': 'default="ReadWrite"', 'kind': 'default="Shared"'},
    'v1.ResourceFieldSelector': {'divisor': 'default="0"'},
    'v1.Secret': {'type': 'default="Opaque"'},
    'v1.PersistentVolumeSpec': {'persistentVolumeReclaimPolicy': 'default="Retain"', 'volumeMode': 'default="Filesystem"'},
    'v1.PersistentVolumeClaimSpec': {'volumeMode': 'default="Filesystem"'},
    'v1.PersistentVolumeStatus v1.PersistentVolumeClaimStatus v1.PodStatus': {'phase': 'default="Pending"'},
    'v1.NamespaceStatus': {'phase': 'default="Active"'},
    'v1.EndpointPort': {'protocol': 'default="TCP"'},
    'v1.ServiceSpec': {'sessionAffinity': 'default="None"', 'type': 'default="ClusterIP"', 'allocateLoadBalancerNodePorts': 'default[type=LoadBalancer]=true',
                       'sessionAffinityConfig': 'default[sessionAffinity=ClientIP]={"clientIP":{"timeoutSeconds":10800}}',
                       'externalTrafficPolicy': EXTERNAL.format('"Cluster"'), 'internalTrafficPolicy': INTERNAL.format('"Cluster"'),
                       'ipFamilies': INTERNAL.format('["IPv4"]'), 'ipFamilyPolicy': INTERNAL.format('"SingleStack"')},
    'apps/v1.DeploymentSpec': {'replicas': 'default=1', 'revisionHistoryLimit': 'default=10', 'progressDeadlineSeconds': 'default=600'},
    'apps/v1.DeploymentStrategy': {'type': 'default="RollingUpdate"',
                                   'rollingUpdate': 'default[type=RollingUpdate]={"maxUnavailable":"25%","maxSurge":"25%"}'},
    'apps/v1.DaemonSetSpec': {'revisionHistoryLimit': 'default=10'},
    'apps/v1.DaemonSetUpdateStrategy': {'type': 'default="RollingUpdate"',
                                        'rollingUpdate': 'default[type=RollingUpdate]={"maxUnavailable":1,"maxSurge":0}'},
    'apps/v1.StatefulSetSpec': {'podManagementPolicy': 'default="OrderedReady"', 'replicas': 'default=1', 'revisionHistoryLimit': 'default=10',
                                'persistentVolumeClaimRetentionPolicy': 'default={"whenDeleted":"Retain","whenScaled":"Retain"}'},
    'apps/v1.StatefulSetUpdateStrategy': {'rollingUpdate': 'default[type=]={}', 'type': 'default="RollingUpdate"'},
    'apps/v1.RollingUpdateStatefulSetStrategy': {'partition': 'default=0'},
    'apps/v1.ReplicaSetSpec v1.ReplicationControllerSpec': {'replicas': 'default=1'},
    'batch/v1.JobSpec': {'completions': 'default[parallelism=]=1', 'parallelism': 'default=1', 'completionMode': 'default="NonIndexed"',
                         'backoffLimit': 'default[backoffLimitPerIndex=]=6 default=2147483647', 'suspend manualSelector': 'default=false',
                         'podReplacementPolicy': 'default[podFailurePolicy=]="TerminatingOrFailed" default="Failed"'},
    'batch/v1.CronJobSpec': {'concurrencyPolicy': 'default="Allow"', 'suspend': 'default=false', 'successfulJobsHistoryLimit': 'default=3',
                             'failedJobsHistoryLimit': 'default=1'},
    'batch/v1.PodFailurePolicyOnPodConditionsPattern': {'status': 'default="True"'},
    'autoscaling/v1.HorizontalPodAutoscalerSpec': {'minReplicas': 'default=1'},
    'autoscaling/v2.HorizontalPodAutoscalerSpec': {
        'minReplicas': 'default=1', 'metrics': 'default=[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]'},
    'autoscaling/v2.HorizontalPodAutoscalerBehavior': {
        'scaleUp': 'default={"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[{"type":"Pods","value":4,"periodSeconds":15},'
                   '{"type":"Percent","value":100,"periodSeconds":15}]}',
        'scaleDown': 'default={"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}'},
    'networking.k8s.io/v1.NetworkPolicyPort discovery.k8s.io/v1.EndpointPort': {'protocol': 'default="TCP"', 'name': 'default=""'},
    'networking.k8s.io/v1.NetworkPolicySpec': {'policyTypes': 'default[egress=]=["Ingress"] default=["Ingress","Egress"]'},
    'networking.k8s.io/v1.IngressClassParametersReference': {'scope': 'default="Cluster"'},
    'rbac.authorization.k8s.io/v1.RoleRef': {'apiGroup': 'default="rbac.authorization.k8s.io"'},
    'rbac.authorization.k8s.io/v1.Subject': {
        'apiGroup': 'default[kind=User]="rbac.authorization.k8s.io" default[kind=Group]="rbac.authorization.k8s.io"'},
    'admissionregistration.k8s.io/v1.ValidatingWebhook admissionregistration.k8s.io/v1.MutatingWebhook'
    ' admissionregistration.k8s.io/v1.MatchResources admissionregistration.k8s.io/v1.ValidatingAdmissionPolicySpec'
    ' admissionregistration.k8s.io/v1.MutatingAdmissionPolicySpec': WEBHOOK,
    'admissionregistration.k8s.io/v1.Rule': {'scope': 'default="*"'},
    'admissionregistration.k8s.io/v1.ServiceReference apiextensions.k8s.io/v1.ServiceReference': {'port': 'default=443'},
    'apiextensions.k8s.io/v1.CustomResourceDefinitionSpec': {'conversion': 'default={"strategy":"None"}'},
    'storage.k8s.io/v1.StorageClass': {'reclaimPolicy': 'default="Delete"', 'volumeBindingMode': 'default="Immediate"'},
    'storage.k8s.io/v1.CSIDriverSpec': {'attachRequired': 'default=true', 'podInfoOnMount storageCapacity requiresRepublish seLinuxMount': 'default=false',
                                        'fsGroupPolicy': 'default="ReadWriteOnceWithFSType"', 'volumeLifecycleModes': 'default=["Persistent"]'},
    'scheduling.k8s.io/v1.PriorityClass': {'preemptionPolicy': 'default="PreemptLowerPriority"'},
    'resource.k8s.io/v1.ExactDeviceRequest resource.k8s.io/v1.DeviceSubRequest': {
        'allocationMode': 'default="ExactCount"', 'count': 'default[allocationMode=ExactCount]=1'},
    'flowcontrol.apiserver.k8s.io/v1.FlowSchemaSpec': {'matchingPrecedence': 'default=1000'},
    'flowcontrol.apiserver.k8s.io/v1.ExemptPriorityLevelConfiguration': {'nominalConcurrencyShares lendablePercent': 'default=0'},
    'flowcontrol.apiserver.k8s.io/v1.LimitedPriorityLevelConfiguration': {'nominalConcurrencyShares': 'default=30', 'lendablePercent': 'default=0'},
    'flowcontrol.apiserver.k8s.io/v1.QueuingConfiguration': {'handSize': 'default=8', 'queues': 'default=64', 'queueLengthLimit': 'default=50'},
}
SAID = {f'{message}.{name}': words.split(' ') for messages, fields in DEFAULTS.items() for message in messages.split(' ')
        for names, words in fields.items() for name in names.split(' ')}
RANKS = {f'{message}.{name}': f'rank={i - 20}' for messages, names in FIRST.items() for message in messages.split(' ')
         for i, name in enumerate(names.split(' '))}
RANKS.update((f'{message}.{name}', words) for message, fields in PLACES.items() for names, words in fields.items() for name in names.split(' '))
gates = {m.group(1): re.findall(r'Default: (true|false)', m.group(2)) for m in re.finditer(
    r'^\t(?:\w+\.)?(\w+): \{\n(.*?)^\t\},', open(features).read(), flags=re.S | re.M)}
CODE = {f'{message}.{name}': words.split(' ') for messages, fields in IN_CODE.items() for message in messages.split(' ') for names, words in fields.items() for name in names.split(' ')}


def directory(package):
    group, _, version = package.rpartition('/')
    if group == 'meta.k8s.io':
        return machinery + '/pkg/apis/meta/v1'
    if group == 'apiextensions.k8s.io':
        return f'{extensions}/pkg/apis/apiextensions/{version}'
    return f"{api}/{'core' if not group else 'apiserverinternal' if group == 'internal.apiserver.k8s.io' else group.split('.')[0]}/{version}"


def load(package):
    texts = [open(file).read() for file in sorted(glob.glob(directory(package) + '/*types*.go')) if 'zz_' not in file]
    text = re.sub(r'^/\*.*?\*/', '', '\n'.join(texts), flags=re.S | re.M)
    structs = {m.group(1): m.group(2) for m in re.finditer(r'^type (\w+) struct \{\n(.*?)^\}', text, flags=re.S | re.M)}
    names = {m.group(1): m.group(2) for m in re.finditer(r'^(?:type |\t)(\w+) (\*?[\w\[\].]+)$', text, flags=re.M)}
    enums = {m.group(1): [] for m in re.finditer(r'^\s*//\s*\+(?:k8s:)?enum\s*\n(?:\s*//.*\n)*\s*(?:type )?(\w+) string', text, flags=re.M)}
    block = ''
    for line in text.split('\n'):
        constant = re.match(r'\s*(?:const\s+)?\w+\s+(\w+)\s*=\s*"([^"]*)"', line)
        if constant and constant.group(1) in enums and 'excludeFrom' not in block:
            enums[constant.group(1)].append(constant.group(2))
        block = block + line if line.strip().startswith('//') else ''
    return structs, names, enums


loaded = {}


def package_of(name):
    if name not in loaded:
        loaded[name] = load(name)
    return loaded[name]


def go_name(package, go, prefix=''):
    """The type as Go prints it."""
    go = go.lstrip('*')
    if go.startswith('[]'):
        return '[]' + ('uint8' if go == '[]byte' else go_name(package, go[2:]))
    if go.startswith('map['):
        key, value = re.match(r'map\[([\w.]+)\](.*)', go).groups()
        return f'map[{go_name(package, key)}]{go_name(package, value)}'
    if go in SCALARS or '.' in go:
        owner, _, name = go.rpartition('.')
        return go if not owner else PACKAGES.get(owner, owner) + '.' + name
    return package.rpartition('/')[2] + '.' + go


def usual(kind, count):
    """The type as Go prints it if the message table already tells it."""
    name = re.sub(r'^.*/', '', kind)
    name = {'bytes': '[]uint8', 'Time': 'v1.Time', 'MicroTime': 'v1.MicroTime', 'Duration': 'v1.Duration', 'Quantity': 'resource.Quantity',
            'IntOrString': 'intstr.IntOrString', 'RawExtension': 'runtime.RawExtension'}.get(name, name)
    return {'[]': '[]' + name, 'map:': 'map[string]' + name, '': name}[count]


def enum_of(package, go):
    name = go.lstrip('*').removeprefix('[]')
    owner, _, name = name.rpartition('.')
    if owner:
        package = {'metav1': 'meta.k8s.io/v1'}.get(owner, 'v1') if owner in PACKAGES or owner == 'v1' else package
    return package_of(package)[2].get(name, []) if not owner or owner in PACKAGES or owner == 'v1' else []


def words(package, message, name, go, tag, comments, kind, count):
    marked = re.search(r'//\s*\+default=(?!ref)(\S+)', comments)
    gate = re.search(r'//\s*\+featureGate=(\w+)', comments)
    if gate and gates.get(gate.group(1), ['true'])[-1] == 'false' or f'{message}.{name}' in DROPPED:
        return (['go=' + go_name(package, go)] if go_name(package, go) != usual(kind, count) else []) + ['disabled']
    return rules(package, message, name, go, tag, comments, kind, count) + ([RANKS[f'{message}.{name}']] if f'{message}.{name}' in RANKS else []) + (
        SAID.get(message + '.' + name) or ([f'default={marked.group(1)}'] if marked and marked.group(1) != '""' else []))


def rules(package, message, name, go, tag, comments, kind, count):
    found = []
    if go_name(package, go) != usual(kind, count):
        found.append('go=' + go_name(package, go))
    optional = re.search(r'//\s*\+(?:.*\+?k8s:)?optional\b', comments)
    required = re.search(r'//\s*\+(?:.*\+?k8s:)?required\b', comments)
    omitted = 'omitempty' in tag or 'omitzero' in tag
    if message + '.' + name in CODE:
        return found + CODE[message + '.' + name]
    if message + '.' + name in NOT_ENFORCED:
        return found
    if (required or not optional and not omitted) and name not in ('status', 'metadata', 'spec'):
        found.append('required')
    enum = [value for value in enum_of(package, go) if value]
    if enum:
        found.append('enum=' + ','.join(sorted(enum)).replace(' ', '~'))
    for marker in ('minimum', 'maximum', 'maxItems', 'maxLength'):
        value = re.search(r'//\s*\+.*k8s:' + marker + r'=([\w-]+)', comments)
        if value:
            found.append(f'{marker}={value.group(1)}')
    if re.search(r'//\s*\+.*k8s:immutable\b', comments):
        found.append('immutable')
    return found


message = None
lines = {}
for line in open(table):
    line = line.rstrip('\n')
    if line.startswith('#') or not line:
        continue
    if not line.startswith(' '):
        message = line.split(' ')[0]
        package, _, struct = message.rpartition('.')
        comments, fields = '', {}
        for go_line in package_of(package)[0].get(struct, '').split('\n'):
            if go_line.strip().startswith('//'):
                comments += go_line + '\n'
                continue
            match = re.match(r'\s*(?:\w+\s+)?([*\w\[\].]+)\s+`.*json:"([^"]*)".*`', re.sub(r'(?<!:)//.*', '', go_line))
            if match:
                fields[match.group(2).split(',')[0]] = (match.group(1), match.group(2), comments)
            comments = '' if go_line.strip() else comments
        continue
    _, name, kind = line.strip().split(' ')[:3]
    if name == '-' or name not in fields:
        continue
    kind = kind.rstrip('*')
    count = '[]' if kind.startswith('[]') else 'map:' if kind.startswith('map:') else ''
    said = words(package, message, name, *fields[name], kind[len(count):], count)
    if said:
        lines.setdefault(message, []).append(' '.join([name] + said))
seen = {f'{message}.{line.split(" ")[0]}' for message in lines for line in lines[message]}
for path in RANKS:
    if path not in seen:
        message, _, name = path.rpartition('.')
        lines.setdefault(message, []).append(name + ' ' + RANKS[path])
for message in sorted(lines):
    print(message)
    for line in lines[message]:
        print(' ' + line)
