// Keeps up with the config maps of a namespace by client-go's shared informer, and writes by its client.
//
//	follow KUBECONFIG NAMESPACE
//
// Prints "synced NAME..." and then each change as "added|updated|deleted NAME VALUE", until a config map "end" is added.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	exitOn(err)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = config.ContentType + ",application/json"
	client, err := kubernetes.NewForConfig(config)
	exitOn(err)
	namespace := os.Args[2]
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	maps := factory.Core().V1().ConfigMaps()
	ended := make(chan struct{})
	var output sync.Mutex
	synced := false
	say := func(what string, object any) {
		output.Lock()
		defer output.Unlock()
		if last, gone := object.(cache.DeletedFinalStateUnknown); gone {
			object = last.Obj
		}
		entry := object.(*corev1.ConfigMap)
		if synced {
			fmt.Println(what, entry.Name, entry.Data["value"])
		}
		if what == "added" && entry.Name == "end" {
			close(ended)
		}
	}
	handler, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { say("added", object) },
		UpdateFunc: func(_, object any) { say("updated", object) },
		DeleteFunc: func(object any) { say("deleted", object) },
	})
	exitOn(err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		exitOn(fmt.Errorf("not synced"))
	}
	cached, err := maps.Lister().List(labels.Everything())
	exitOn(err)
	var names []string
	for _, entry := range cached {
		names = append(names, entry.Name)
	}
	sort.Strings(names)
	output.Lock()
	synced = true
	fmt.Println("synced", strings.Join(names, " "))
	output.Unlock()

	written, err := client.CoreV1().ConfigMaps(namespace).Create(ctx,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "own"}, Data: map[string]string{"value": "1"}}, metav1.CreateOptions{})
	exitOn(err)
	written.Data["value"] = "2"
	_, err = client.CoreV1().ConfigMaps(namespace).Update(ctx, written, metav1.UpdateOptions{})
	exitOn(err)
	exitOn(client.CoreV1().ConfigMaps(namespace).Delete(ctx, "own", metav1.DeleteOptions{}))
	<-ended
	cancel()
	factory.Shutdown()
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
