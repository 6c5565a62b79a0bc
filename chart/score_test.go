package chart

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// kubeScoreVersion equals the version in tools/kubescore; a test compares them.
const kubeScoreVersion = "v1.20.0"

// passed is the grade of a check without a finding.
const passed = 10

// excuses lists the kube-score findings that are accepted, with the reasons. If sets are given, the finding is accepted
// only for these, because their values cause it.
var excuses = map[string]struct {
	why  string
	sets []string
}{
	"container-image-pull-policy": {
		why: "a release's tag is never moved, and a pod that is rescheduled must not need the registry"},
	"container-resources": {
		why: "memory is limited; a limit of processor time only slows readers down while the node is idle"},
	"container-ephemeral-storage-request-and-limit": {
		why: "roots are read-only and each volume has its own size limit; a limit beside them would evict pods whose " +
			"volume was made larger"},
	"statefulset-has-host-podantiaffinity": {why: "topology spread constraints do this, for nodes and zones"},
	"deployment-has-host-podantiaffinity":  {why: "topology spread constraints do this, for nodes and zones"},
	"container-security-context-user-group-id": {why: "these values choose a user, or leave it to OpenShift",
		sets: []string{"everything", "platform-openshift"}},
	"pod-networkpolicy":   {why: "these values turn the policies off", sets: []string{"export-only"}},
	"deployment-replicas": {why: "these values ask for one pod", sets: []string{"static-airgap"}},
}

// scored is kube-score's report on one object.
type scored struct {
	ObjectName string `json:"object_name"`
	Checks     []struct {
		Check struct {
			ID string `json:"id"`
		} `json:"check"`
		Grade    int  `json:"grade"`
		Skipped  bool `json:"skipped"`
		Comments []struct {
			Summary string `json:"summary"`
		} `json:"comments"`
	} `json:"checks"`
}

// findings returns the checks that fail for objects of the rendering, each with the object and the reason.
func findings(t *testing.T, rendered string) map[string][]string {
	t.Helper()
	cmd := exec.Command(cached(t, "bin/kube-score-"+kubeScoreVersion), "score", "--output-format", "json", "-")
	cmd.Stdin = strings.NewReader(rendered)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run() // findings also result in an error
	var objects []scored
	if jsonErr := json.Unmarshal(out.Bytes(), &objects); jsonErr != nil || len(objects) == 0 {
		t.Fatalf("kube-score: %v, %v\n%s%s", err, jsonErr, out.String(), errs.String())
	}
	found := map[string][]string{}
	for _, o := range objects {
		for _, c := range o.Checks {
			if c.Grade >= passed || c.Skipped {
				continue
			}
			for _, comment := range c.Comments {
				found[c.Check.ID] = append(found[c.Check.ID], o.ObjectName+": "+comment.Summary)
			}
		}
	}
	return found
}

// kube-score reports only excused findings in all renderings. The test also fails for an excuse that no rendering
// needs.
func TestKubeScoreReportsOnlyExcusedProblems(t *testing.T) {
	needed := map[string][]string{}
	for _, name := range sets(t) {
		for check, said := range findings(t, rendering{files: []string{name}, more: apiVersions(name)}.render(t)) {
			excuse, known := excuses[check]
			if !known || len(excuse.sets) > 0 && !slices.Contains(excuse.sets, name) {
				t.Errorf("%s: %s: %q", name, check, said)
			}
			needed[check] = append(needed[check], name)
		}
	}
	for check, excuse := range excuses {
		if len(needed[check]) == 0 || excuse.why == "" {
			t.Errorf("the excuse for %s is never needed", check)
		}
	}
}

// kube-score detects violations, so the test above is not vacuous.
func TestKubeScoreReportsProblems(t *testing.T) {
	good := rendering{files: []string{"static"}}.render(t)
	for name, row := range map[string]struct{ old, replacement, want string }{
		"a root that can be written": {"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false",
			"container-security-context-readonlyrootfilesystem"},
		"no budget": {"kind: PodDisruptionBudget", "kind: ConfigMap",
			"statefulset-has-poddisruptionbudget"},
		"no headless service": {"clusterIP: None", "clusterIP: 10.0.0.1", "statefulset-has-servicename"},
		"no policy":           {"kind: NetworkPolicy", "kind: ConfigMap", "pod-networkpolicy"},
	} {
		found := findings(t, strings.ReplaceAll(good, row.old, row.replacement))
		if len(found[row.want]) == 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}
