// An informer of pods by client-go, in protocol buffers as Kubernetes' own components use it. For each line of the input it makes an
// informer, waits until that has synced, and writes what it took: "turn MILLISECONDS CPU_MILLISECONDS PODS". README.md says how to build it.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		panic(err)
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	config.DisableCompression = len(os.Args) > 2 && os.Args[2] == "identity"
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		cpu, began := cpuMillis(), time.Now()
		context, stop := context.WithCancel(context.Background())
		factory := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(config), 0)
		pods := factory.Core().V1().Pods()
		pods.Informer()
		factory.Start(context.Done())
		failure := ""
		for _, synced := range factory.WaitForCacheSync(context.Done()) {
			if !synced {
				failure = "not synced"
			}
		}
		took := time.Since(began).Milliseconds()
		fmt.Println("turn", took, cpuMillis()-cpu, len(pods.Informer().GetStore().ListKeys()), failure)
		stop()
		factory.Shutdown()
	}
}

func cpuMillis() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return (usage.Utime.Nano() + usage.Stime.Nano()) / 1_000_000
}
