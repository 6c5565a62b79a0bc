//go:build kubernetes

package kubernetes

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
)

// bystander starts a pod that does nothing, in a separate namespace.
func bystander(t *testing.T, name string) {
	t.Helper()
	namespace(t, name)
	apply(t, object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "bystander", "namespace": name},
		"spec": object{
			"automountServiceAccountToken": false,
			"securityContext": object{"runAsNonRoot": true, "runAsUser": 65532,
				"seccompProfile": object{"type": "RuntimeDefault"}},
			"containers": []any{object{"name": "pause", "image": kubenode.PauseImage, "imagePullPolicy": "Never",
				"securityContext": object{"allowPrivilegeEscalation": false,
					"capabilities": object{"drop": []string{"ALL"}}}}}}})
	run(t, "kubectl", "-n", name, "wait", "--for=condition=Ready", "pod/bystander", "--timeout=2m")
}

// canConnect reports whether a connection from a pod's network namespace to an address is accepted.
func canConnect(t *testing.T, namespace, pod, host, port string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	id := field(t, namespace, "pod", pod, ".status.containerStatuses[0].containerID")
	cmd, err := node.Enter(ctx, id, "timeout", "5", "bash", "-c", "exec 3<>/dev/tcp/"+host+"/"+port)
	if err != nil {
		t.Fatal(err)
	}
	return cmd.Run() == nil
}

// H4: with the chart's policies in force, pods can reach only their source's port, and only the listed clients can
// reach the pods. No network plugin that enforces policies is available here, so this package derives rules from the
// policies in the cluster, and the kernel enforces them. The test thus checks the policies on real connections of real
// pods, but not how a plugin interprets them.
func TestNetworkPoliciesLimitPodsToTheirSource(t *testing.T) {
	s := newBundleBucket(t)
	link := s.put("Behind a policy.", "v1", time.Hour)
	source, err := url.Parse(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	bystander(t, "clients")
	bystander(t, "strangers")
	clients := object{"namespaceSelector": object{"matchLabels": object{"kubernetes.io/metadata.name": "clients"}}}
	policy := values(t, object{"networkPolicy": object{"clientsFrom": []any{clients}, "metricsFrom": []any{}}})
	d := installDocs(t, "guarded", link, "v1", "--values", policy)
	address := field(t, d.namespace, "pod", "docs-lectern-docs-0", ".status.podIP")
	databaseURL, err := url.Parse(database.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		what, namespace, pod, host, port string
		want                             bool
	}{
		{"the source of the bundle", d.namespace, "docs-lectern-docs-0", kubenode.Address, source.Port(), true},
		{"a database at the same address", d.namespace, "docs-lectern-docs-0", kubenode.Address, databaseURL.Port(),
			false},
		{"the API server", d.namespace, "docs-lectern-docs-0", kubenode.Address, "6443", false},
		{"the other pod's site", d.namespace, "docs-lectern-docs-1", address, "8080", false},
		{"the site, by a client", "clients", "bystander", address, "8080", true},
		{"the metrics, by a client", "clients", "bystander", address, "9090", false},
		{"the site, by a stranger", "strangers", "bystander", address, "8080", false},
		{"the database, by a stranger", "strangers", "bystander", kubenode.Address, databaseURL.Port(), true},
	}
	for _, row := range rows {
		if !canConnect(t, row.namespace, row.pod, row.host, row.port) {
			t.Errorf("%s is unreachable even without rules: this test would find nothing", row.what)
		}
	}
	enforce(t)
	t.Cleanup(func() {
		if err := kubenode.ApplyRules("delete table inet lectern_policy\n"); err != nil {
			t.Error(err)
		}
	})
	for _, row := range rows {
		if got := canConnect(t, row.namespace, row.pod, row.host, row.port); got != row.want {
			t.Errorf("%s is reachable: %t\n%s", row.what, got, readCluster(t).rules())
		}
	}
	d.upgradesBehindItsPolicy(s)
}

// upgradesBehindItsPolicy checks that new pods fetch a new bundle while the rules are updated as a plugin would update
// them.
func (d *docs) upgradesBehindItsPolicy(s *bundleBucket) {
	d.t.Helper()
	second := s.put("Still behind a policy.", "v2", time.Hour)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if out, err := d.helm("upgrade", append([]string{chartFile, "--reset-then-reuse-values", "--wait", "--timeout",
			"3m"}, specValues(second, "v2")...)...); err != nil {
			d.t.Errorf("helm upgrade: %v\n%s", err, out)
		}
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(500 * time.Millisecond):
			enforce(d.t)
		}
	}
	checkServes(d.t, d.url, "", "Still behind a policy.")
}
