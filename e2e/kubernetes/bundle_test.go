//go:build kubernetes

package kubernetes

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
)

// linkLife is long enough for two pods to start on a busy machine.
const linkLife = 75 * time.Second

// specValues returns the specification's three values.
func specValues(link blob.Link, version string) []string {
	return []string{"--set", "staticExport.enabled=true", "--set-string", "staticExport.bundleUrl=" + link.URL,
		"--set-string", "staticExport.version=" + version}
}

// docs is a release that serves a bundle.
type docs struct {
	t         *testing.T
	namespace string
	url       string // of the service
}

// helm runs a command for the release in its namespace.
func (d *docs) helm(command string, args ...string) (string, error) {
	d.t.Helper()
	return tryRun(d.t, "helm", append([]string{command, "docs", "--namespace", d.namespace}, args...)...)
}

// mustHelm is like helm, but an error fails the test.
func (d *docs) mustHelm(command string, args ...string) {
	d.t.Helper()
	if out, err := d.helm(command, args...); err != nil {
		d.t.Fatalf("helm %s: %v\n%s", command, err, out)
	}
}

func installDocs(t *testing.T, name string, link blob.Link, version string, more ...string) *docs {
	t.Helper()
	d := &docs{t: t, namespace: namespace(t, name)}
	volumes(t, name, 2)
	d.mustHelm("install", append(append([]string{chartFile, "--wait", "--timeout", "3m"}, specValues(link, version)...),
		more...)...)
	d.url = "http://" + field(t, name, "service", "docs-lectern-docs", ".spec.clusterIP") + "/"
	return d
}

// checkPodServes fails the test unless the pod itself serves the sentence.
func (d *docs) checkPodServes(pod, sentence string) {
	d.t.Helper()
	checkServes(d.t, "http://"+field(d.t, d.namespace, "pod", pod, ".status.podIP")+":8080/", "", sentence)
}

// H1, H2, H5, H6, H10, B14: a bundle's life on a real node whose API server admits only "restricted" pods: installation
// with the specification's three values, an expired link, an upgrade, a pin that cannot be met, a rollback, and a
// drained node.
func TestBundleIsServedThroughUpgradeRollbackAndDrain(t *testing.T) {
	s := newBundleBucket(t)
	first := s.put("The first edition.", "v1", linkLife)
	d := installDocs(t, "docs", first, "v1")
	checkServes(t, d.url, "", "The first edition.")
	if out, err := tryRun(t, "kubectl", "-n", d.namespace, "run", "loose",
		"--image="+kubenode.PauseImage); err == nil || !strings.Contains(out, "violates PodSecurity") {
		t.Errorf("the API server admits any pod, so admitting ours proves nothing: %v\n%s", err, out)
	}
	if out, err := d.helm("test", "--timeout", "2m"); err != nil {
		t.Errorf("helm test: %v\n%s", err, out)
	}
	d.outlivesItsLink(first)
	d.upgradesUnderLoad(s)
	d.stopsAtAPinThatCannotBeMet(s)
	d.rollsBackWithoutAPin(s)
	d.drainKeepsOnePod()
}

// outlivesItsLink checks that a pod that is rescheduled after its link has expired serves from its volume.
func (d *docs) outlivesItsLink(link blob.Link) {
	<-time.After(time.Until(link.ExpiresAt.Add(time.Second))) // the server uses the real clock
	if status, _, err := read(link.URL, ""); err != nil || status != http.StatusForbidden {
		d.t.Fatalf("the link still works: %d %v", status, err)
	}
	before := field(d.t, d.namespace, "pod", "docs-lectern-docs-0", ".metadata.uid")
	run(d.t, "kubectl", "-n", d.namespace, "delete", "pod", "docs-lectern-docs-0")
	run(d.t, "kubectl", "-n", d.namespace, "rollout", "status", "statefulset/docs-lectern-docs", "--timeout=2m")
	if after := field(d.t, d.namespace, "pod", "docs-lectern-docs-0", ".metadata.uid"); after == before {
		d.t.Error("the pod is still the old one")
	}
	d.checkPodServes("docs-lectern-docs-0", "The first edition.")
}

// upgradesUnderLoad checks that no reader sees an error while pods are replaced, and that afterwards all readers see
// the new bundle.
func (d *docs) upgradesUnderLoad(s *bundleBucket) {
	second := s.put("The second edition.", "v2", time.Hour)
	l := startLoad(d.url, "The first edition.", "The second edition.")
	d.mustHelm("upgrade", append([]string{chartFile, "--wait", "--timeout", "4m"}, specValues(second, "v2")...)...)
	l.stop(d.t, 100)
	if l.seen["The first edition."] == 0 {
		d.t.Error("the load began after the upgrade")
	}
	for _, pod := range []string{"docs-lectern-docs-0", "docs-lectern-docs-1"} {
		d.checkPodServes(pod, "The second edition.")
	}
}

// stopsAtAPinThatCannotBeMet checks that helm reports the failure, the rollout stops at the first pod, readers notice
// nothing, and a rollback ends it.
func (d *docs) stopsAtAPinThatCannotBeMet(s *bundleBucket) {
	other := s.put("Not what was asked for.", "v9", time.Hour)
	l := startLoad(d.url, "The second edition.")
	out, err := d.helm("upgrade", append([]string{chartFile, "--wait", "--timeout", "75s"}, specValues(other, "v3")...)...)
	if err == nil {
		d.t.Errorf("helm upgrade reports success:\n%s", out)
	}
	if said := run(d.t, "kubectl", "-n", d.namespace, "get", "events", "-o",
		"jsonpath={.items[*].message}"); !strings.Contains(said, "Readiness probe failed") {
		d.t.Errorf("no event reports that the pod is not ready: %s", said)
	}
	d.checkPodServes("docs-lectern-docs-0", "The second edition.")
	d.mustHelm("rollback", "--wait", "--timeout", "3m")
	l.stop(d.t, 100)
	for _, pod := range []string{"docs-lectern-docs-0", "docs-lectern-docs-1"} {
		d.checkPodServes(pod, "The second edition.")
	}
}

// rollsBackWithoutAPin checks that helm rollback restores the older bundle although its link was used before.
func (d *docs) rollsBackWithoutAPin(s *bundleBucket) {
	for i, edition := range []string{"second", "third"} {
		link := s.put("The "+edition+" edition.", fmt.Sprintf("v%d", i+2), time.Hour)
		d.mustHelm("upgrade", append([]string{chartFile, "--wait", "--timeout", "4m"}, specValues(link, "")...)...)
		d.checkPodServes("docs-lectern-docs-0", "The "+edition+" edition.")
	}
	d.mustHelm("rollback", "--wait", "--timeout", "3m")
	for _, pod := range []string{"docs-lectern-docs-0", "docs-lectern-docs-1"} {
		d.checkPodServes(pod, "The second edition.")
	}
}

// drainKeepsOnePod checks that the budget prevents the eviction of the last pod. On a single node, evicted pods cannot
// be scheduled elsewhere.
func (d *docs) drainKeepsOnePod() {
	l := startLoad(d.url, "The second edition.")
	out, err := tryRun(d.t, "kubectl", "drain", kubenode.Name, "--ignore-daemonsets", "--delete-emptydir-data",
		"--timeout=60s",
		"--pod-selector=app.kubernetes.io/instance=docs")
	if err == nil || !strings.Contains(out, "violate the pod's disruption budget") {
		d.t.Errorf("the node was drained: %v\n%s", err, out)
	}
	if ready := field(d.t, d.namespace, "statefulset", "docs-lectern-docs", ".status.readyReplicas"); ready != "1" {
		d.t.Errorf("%q pods are left, want one", ready)
	}
	run(d.t, "kubectl", "uncordon", kubenode.Name)
	run(d.t, "kubectl", "-n", d.namespace, "rollout", "status", "statefulset/docs-lectern-docs", "--timeout=3m")
	l.stop(d.t, 100)
}
