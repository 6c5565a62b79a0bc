//go:build kubernetes

package kubernetes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
)

// patience limits every command and every wait. It is long because the machine may be busy.
const patience = 4 * time.Minute

// object is a Kubernetes object, or a part of one.
type object = map[string]any

// tryRun runs a program on the node and returns all its output.
func tryRun(t testing.TB, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out bytes.Buffer
	cmd := node.Command(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// run is like tryRun, but an error fails the test.
func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := tryRun(t, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

// apply applies an object to the cluster.
func apply(t testing.TB, o object) {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "object.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "kubectl", "apply", "-f", file)
}

// namespace creates a namespace in which the API server admits only "restricted" pods. If the test fails, it logs the
// state of the namespace.
func namespace(t testing.TB, name string) string {
	t.Helper()
	apply(t, object{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": name, "labels": object{
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/enforce-version": "latest"}}})
	t.Cleanup(func() {
		if t.Failed() {
			describe(t, name)
		}
		run(t, "kubectl", "delete", "namespace", name, "--timeout=3m")
	})
	return name
}

// describe logs a namespace's pods, their logs and its events.
func describe(t testing.TB, namespace string) {
	t.Helper()
	for _, args := range [][]string{
		{"get", "pods,pvc,statefulsets,deployments,jobs", "-o", "wide"},
		{"logs", "-l", "app.kubernetes.io/name=lectern", "--all-containers", "--tail=20", "--prefix",
			"--max-log-requests=20"},
		{"get", "events", "--sort-by=.lastTimestamp"},
	} {
		out, err := tryRun(t, "kubectl", append([]string{"-n", namespace}, args...)...)
		t.Logf("kubectl %v: %v\n%s", args, err, out)
	}
}

// volumes creates volumes on the node's disk for claims of any size up to 5Gi. As in a real cluster, they belong to
// root until a pod with an fsGroup mounts them.
func volumes(t testing.TB, prefix string, count int) {
	t.Helper()
	for i := range count {
		name := fmt.Sprintf("%s-%d", prefix, i)
		folder := filepath.Join(node.Folder, "volumes", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		apply(t, object{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": object{"name": name},
			"spec": object{
				"capacity": object{"storage": "5Gi"}, "accessModes": []string{"ReadWriteOnce", "ReadWriteMany"},
				"persistentVolumeReclaimPolicy": "Retain", "local": object{"path": folder},
				"nodeAffinity": object{"required": object{"nodeSelectorTerms": []any{object{"matchExpressions": []any{
					object{"key": "kubernetes.io/hostname", "operator": "In", "values": []string{kubenode.Name}}}}}}},
			}})
		t.Cleanup(func() {
			run(t, "kubectl", "delete", "persistentvolume", name,
				"--wait=false")
		}) // a claim may still use it
	}
}

// values writes a values file for helm.
func values(t testing.TB, content object) string {
	t.Helper()
	data, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// field returns the part of an object at a JSON path.
func field(t testing.TB, namespace, kind, name, path string) string {
	t.Helper()
	return run(t, "kubectl", "-n", namespace, "get", kind, name, "-o", "jsonpath={"+path+"}")
}

// eventually polls until the condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s did not happen within %s", what, patience)
		}
	}
}
