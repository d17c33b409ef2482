// Answers what Kubernetes' own code says of objects, for refused-objects.py: reads rows of a type, a valid object for an update, and an object,
// separated by tabs; writes the code, and the message of a refusal, of each. To be built in a tree that vendors k8s.io/kubernetes.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
)

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

type entry struct {
	gvk schema.GroupVersionKind
	s   strategy
}

func gvk(g, v, k string) schema.GroupVersionKind { return schema.GroupVersionKind{Group: g, Version: v, Kind: k} }

func main() {
	kinds := map[string]entry{
		"pods":                                   {gvk("", "v1", "Pod"), pod.Strategy},
		"services":                               {gvk("", "v1", "Service"), service.Strategy},
		"endpoints":                              {gvk("", "v1", "Endpoints"), endpoint.Strategy},
		"configmaps":                             {gvk("", "v1", "ConfigMap"), configmap.Strategy},
		"secrets":                                {gvk("", "v1", "Secret"), secret.Strategy},
		"serviceaccounts":                        {gvk("", "v1", "ServiceAccount"), serviceaccount.Strategy},
		"persistentvolumeclaims":                 {gvk("", "v1", "PersistentVolumeClaim"), persistentvolumeclaim.Strategy},
		"namespaces":                             {gvk("", "v1", "Namespace"), namespace.Strategy},
		"nodes":                                  {gvk("", "v1", "Node"), node.Strategy},
		"resourcequotas":                         {gvk("", "v1", "ResourceQuota"), resourcequota.Strategy},
		"limitranges":                            {gvk("", "v1", "LimitRange"), limitrange.Strategy},
		"deployments.apps":                       {gvk("apps", "v1", "Deployment"), deployment.Strategy},
		"replicasets.apps":                       {gvk("apps", "v1", "ReplicaSet"), replicaset.Strategy},
		"statefulsets.apps":                      {gvk("apps", "v1", "StatefulSet"), statefulset.Strategy},
		"daemonsets.apps":                        {gvk("apps", "v1", "DaemonSet"), daemonset.Strategy},
		"jobs.batch":                             {gvk("batch", "v1", "Job"), job.Strategy},
		"cronjobs.batch":                         {gvk("batch", "v1", "CronJob"), cronjob.Strategy},
		"ingresses.networking.k8s.io":            {gvk("networking.k8s.io", "v1", "Ingress"), ingress.Strategy},
		"networkpolicies.networking.k8s.io":      {gvk("networking.k8s.io", "v1", "NetworkPolicy"), networkpolicy.Strategy},
		"ingressclasses.networking.k8s.io":       {gvk("networking.k8s.io", "v1", "IngressClass"), ingressclass.Strategy},
		"storageclasses.storage.k8s.io":          {gvk("storage.k8s.io", "v1", "StorageClass"), storageclass.Strategy},
		"horizontalpodautoscalers.autoscaling":   {gvk("autoscaling", "v2", "HorizontalPodAutoscaler"), horizontalpodautoscaler.Strategy},
		"poddisruptionbudgets.policy":            {gvk("policy", "v1", "PodDisruptionBudget"), poddisruptionbudget.Strategy},
		"roles.rbac.authorization.k8s.io":        {gvk("rbac.authorization.k8s.io", "v1", "Role"), role.Strategy},
		"clusterroles.rbac.authorization.k8s.io": {gvk("rbac.authorization.k8s.io", "v1", "ClusterRole"), clusterrole.Strategy},
		"rolebindings.rbac.authorization.k8s.io": {gvk("rbac.authorization.k8s.io", "v1", "RoleBinding"), rolebinding.Strategy},
		"clusterrolebindings.rbac.authorization.k8s.io": {gvk("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding"), clusterrolebinding.Strategy},
		"leases.coordination.k8s.io":             {gvk("coordination.k8s.io", "v1", "Lease"), lease.Strategy},
		"priorityclasses.scheduling.k8s.io":      {gvk("scheduling.k8s.io", "v1", "PriorityClass"), priorityclass.Strategy},
		"endpointslices.discovery.k8s.io":        {gvk("discovery.k8s.io", "v1", "EndpointSlice"), endpointslice.Strategy},
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	for in.Scan() {
		// kind TAB valid object or empty TAB object
		parts := strings.SplitN(in.Text(), "\t", 3)
		e, ok := kinds[parts[0]]
		if !ok {
			fmt.Println("skip")
			continue
		}
		fmt.Println(answer(e, parts[1], parts[2]))
	}
}

func answer(e entry, old, now string) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprintf("panic %v", r)
		}
	}()
	ctx := genericapirequest.NewContext()
	ctx = genericapirequest.WithNamespace(ctx, map[bool]string{true: "default", false: ""}[e.s.NamespaceScoped()])
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: e.gvk.Group, APIVersion: e.gvk.Version})
	if old != "" {
		before, err := decode(e, old)
		if err == nil {
			err = create(e, ctx, before)
		}
		if err != nil {
			return "panic valid object: " + err.Error()
		}
		a, _ := meta.Accessor(before)
		a.SetResourceVersion("1")
		if now == "" {
			text, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(e.gvk.GroupVersion()), before)
			if err != nil {
				return "panic " + err.Error()
			}
			return strings.TrimSpace(string(text))
		}
		after, err := decode(e, now)
		if err != nil {
			return show(err)
		}
		b, _ := meta.Accessor(after)
		b.SetResourceVersion("1")
		b.SetUID(a.GetUID())
		b.SetNamespace(a.GetNamespace())
		b.SetCreationTimestamp(a.GetCreationTimestamp())
		return show(rest.BeforeUpdate(e.s, ctx, after, before))
	}
	object, err := decode(e, now)
	if err != nil {
		return show(err)
	}
	return show(create(e, ctx, object))
}

func create(e entry, ctx context.Context, object runtime.Object) error {
	rest.FillObjectMetaSystemFields(must(object))
	must(object).SetUID(types.UID("u"))
	return rest.BeforeCreate(e.s, ctx, object)
}

func must(object runtime.Object) metav1.Object {
	a, err := meta.Accessor(object)
	if err != nil {
		panic(err)
	}
	return a
}

func decode(e entry, text string) (runtime.Object, error) {
	info, _ := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), "application/json")
	decoder := legacyscheme.Codecs.DecoderToVersion(info.Serializer, schema.GroupVersion{Group: e.gvk.Group, Version: runtime.APIVersionInternal})
	g := e.gvk
	object, _, err := decoder.Decode([]byte(text), &g, nil)
	if err != nil {
		return nil, errors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", e.gvk.Kind, e.gvk.Version, e.gvk.Kind, err))
	}
	return object, nil
}

func show(err error) string {
	if err == nil {
		return "200"
	}
	status, ok := err.(errors.APIStatus)
	if !ok {
		return "500 " + quoted(err.Error())
	}
	return fmt.Sprintf("%d %s", status.Status().Code, quoted(strings.SplitN(status.Status().Message, "\n", 2)[0]))
}

func quoted(text string) string {
	b := &strings.Builder{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text)
	return strings.TrimSpace(b.String())
}
