package chart

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
)

var flagName = regexp.MustCompile(`--[a-z0-9-]+`)

// helps caches the flags of commands: dozens of containers run six commands.
var helps sync.Map // command → []string

// flagsOf returns the flags in a command's help.
func flagsOf(t *testing.T, command ...string) []string {
	t.Helper()
	key := strings.Join(command, " ")
	if flags, ok := helps.Load(key); ok {
		return flags.([]string)
	}
	out, err := exec.Command(binary, append(command, "--help")...).Output()
	if err != nil {
		t.Fatalf("help of %v: %v", command, err)
	}
	_, flags, _ := strings.Cut(string(out), "\nFlags:\n")
	found := flagName.FindAllString(flags, -1)
	helps.Store(key, found)
	return found
}

// Every flag and variable in a pod exists in the binary.
func TestPodsUseExistingFlagsAndVariables(t *testing.T) {
	known := []string{"SSL_CERT_DIR", "GOMEMLIMIT", // Go's own
		"LECTERN_PLAYGROUND_HOSTS"} // only used by serve-bundle
	for _, s := range config.Reference() {
		known = append(known, s.Env)
	}
	// the number of words in each component's command
	words := map[string]int{"docs": 2, "server": 1, "worker": 1, "migrate": 1, "export": 2, "test": 1}
	every(t, func(t *testing.T, objects []object) {
		for _, p := range pods(objects) {
			for _, c := range p.containers() {
				args := texts(list(c, "args"))
				flags := flagsOf(t, args[:words[p.component]]...)
				for _, a := range args {
					if name, _, _ := strings.Cut(a, "="); strings.HasPrefix(a, "-") && !slices.Contains(flags, name) {
						t.Errorf("%s: flag %s does not exist", p.owner, name)
					}
				}
				for _, e := range list(c, "env") {
					if !slices.Contains(known, text(e, "name")) {
						t.Errorf("%s: variable %s does not exist", p.owner, text(e, "name"))
					}
				}
			}
		}
	})
}

// Tests replace the addresses in pods by loopback ports, so this test checks that the binary accepts the original
// ones.
func TestBinaryAcceptsListenAddressesOfPods(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		for _, p := range pods(objects) {
			for _, e := range list(p.containers()[0], "env") {
				s := config.Defaults()
				switch text(e, "name") {
				case "LECTERN_LISTEN":
					s.Listen = text(e, "value")
				case "LECTERN_METRICS_LISTEN":
					s.MetricsListen = text(e, "value")
				}
				if err := s.Validate(); err != nil {
					t.Errorf("%s: %s: %v", p.owner, text(e, "name"), err)
				}
			}
		}
	})
}

func texts(items []any) (out []string) {
	for _, i := range items {
		s, _ := i.(string)
		out = append(out, s)
	}
	return out
}

// H7: secrets are passed by reference. No variable contains a secret value, and the link is only in a Secret.
func TestSecretsArePassedByReference(t *testing.T) {
	secret := map[string]bool{"LECTERN_BUNDLE_SOURCE": true, "LECTERN_KEY": true}
	for _, s := range config.Reference() {
		secret[s.Env] = secret[s.Env] || s.Secret
	}
	every(t, func(t *testing.T, objects []object) {
		link := ""
		for _, o := range objects {
			if kind(o) == "Secret" {
				link = text(o, "stringData", "bundleUrl")
				delete(o, "stringData")
			}
		}
		for _, p := range pods(objects) {
			for _, c := range p.containers() {
				for _, e := range list(c, "env") {
					if _, plain := e.(object)["value"]; plain && secret[text(e, "name")] {
						t.Errorf("%s: %s has a value", p.owner, text(e, "name"))
					}
				}
			}
		}
		everyText(objects, func(s string) {
			if link != "" && strings.Contains(s, link) || strings.Contains(s, "X-Amz-Signature") ||
				strings.Contains(s, "://lectern:") {
				t.Errorf("%q contains a secret", s)
			}
		})
	})
	for env := range secret {
		if !secret[env] {
			continue
		}
		set := []string{"platform.extraEnv[0].name=" + env, "platform.extraEnv[0].value=x"}
		if got := (rendering{files: []string{"platform"}, set: set}).
			refusal(t); !strings.Contains(got, env+" is a secret") {
			t.Errorf("%s as a plain variable: %s", env, got)
		}
	}
}

// everyText calls f with each text in a value, including keys of maps.
func everyText(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []object:
		for _, o := range v {
			everyText(o, f)
		}
	case []any:
		for _, i := range v {
			everyText(i, f)
		}
	case object:
		for key, below := range v {
			f(key)
			everyText(below, f)
		}
	}
}

// H9: whatever is enabled, every container uses the image in the values.
func TestOneValueSetsEveryImage(t *testing.T) {
	for name, row := range map[string]struct {
		set  []string
		want string
	}{
		"as it is": {nil, "ghcr.io/lectern-docs/lectern-platform:0.1.0"},
		"tag": {[]string{"image.registry=r.internal:5000,image.repository=a/b,image.tag=t1"},
			"r.internal:5000/a/b:t1"},
		"digest": {[]string{"image.registry=r.internal,image.repository=a,image.tag=t1,image.digest=sha256:" +
			strings.Repeat("ab", 32)}, "r.internal/a@sha256:" + strings.Repeat("ab", 32)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rendered := rendering{files: []string{"everything"}, set: row.set}.render(t)
			all := parse(t, rendered)
			images := 0
			for _, p := range pods(all) {
				for _, c := range p.containers() {
					images++
					if got := text(c, "image"); got != row.want {
						t.Errorf("%s runs %s, want %s", p.owner, got, row.want)
					}
				}
			}
			if images != 7 || strings.Count(rendered, " image: ") != images {
				t.Errorf("%d containers, %d images in the text", images, strings.Count(rendered, " image: "))
			}
		})
	}
	if p, err := podOf(rendering{files: []string{"static"}}.objects(t), "docs"); err != nil ||
		text(p.containers()[0], "image") != "ghcr.io/lectern-docs/lectern:0.1.0" {
		t.Errorf("a bundle is served by %v, %v", p.containers(), err)
	}
}

// H9: on OpenShift, the chart sets no users and groups, because OpenShift assigns them. On other clusters, it sets them
// unless the values leave them to the image.
func TestOpenShiftChoosesUsersAndGroups(t *testing.T) {
	for name, row := range map[string]struct {
		rendering
		want bool
	}{
		"elsewhere":  {rendering{}, true},
		"by its API": {rendering{more: []string{"--api-versions", "security.openshift.io/v1"}}, false},
		"by name":    {rendering{set: []string{"security.openshift=on"}}, false},
		"not, by name": {rendering{set: []string{"security.openshift=off"},
			more: []string{"--api-versions", "security.openshift.io/v1"}}, true},
		"left to the image": {
			rendering{set: []string{"security.runAsUser=null,security.runAsGroup=null,security.fsGroup=null"}}, false},
		"everything on it too": {rendering{set: []string{"security.openshift=on,platform.worker.enabled=true"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.files = []string{"everything"}
			for _, p := range pods(row.objects(t)) {
				for _, field := range []string{"runAsUser", "runAsGroup", "fsGroup"} {
					if _, set := at(p.spec, "securityContext").(object)[field]; set != row.want {
						t.Errorf("%s: %s is set: %t", p.owner, field, set)
					}
				}
			}
		})
	}
}

// H5, H6: long-running pods are spread over nodes, have three suitable probes, and have more time to terminate than
// they need to drain and finish.
func TestPodsAreProbedAndDrained(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		for _, p := range pods(objects) {
			if text(p.spec, "restartPolicy") == "Never" {
				continue // it runs once
			}
			c := p.containers()[0]
			if text(c, "startupProbe", "httpGet", "path") != "/healthz" || text(c, "livenessProbe", "httpGet",
				"path") != "/healthz" || text(c, "readinessProbe", "httpGet", "path") != "/readyz?for=sites" {
				t.Errorf("%s: probes %v", p.owner, c)
			}
			if allowed := number(c, "startupProbe", "periodSeconds") * number(c, "startupProbe",
				"failureThreshold"); allowed <= number(c, "livenessProbe", "periodSeconds")*number(c, "livenessProbe",
				"failureThreshold") {
				t.Errorf("%s: startup is allowed only %d seconds, no more than a running pod", p.owner, allowed)
			}
			delay, grace := drainOf(t, c)
			if p.component != "worker" &&
				delay <= 2*time.Duration(number(c, "readinessProbe", "periodSeconds"))*time.Second {
				t.Errorf("%s: it drains for only %s", p.owner, delay)
			}
			if whole := time.Duration(number(p.spec, "terminationGracePeriodSeconds")) * time.Second; whole <= delay+
				grace+10*time.Second || grace == 0 {
				t.Errorf("%s: killed after %s, but takes up to %s + %s to stop", p.owner, whole, delay, grace)
			}
			if len(list(p.spec, "topologySpreadConstraints")) == 0 { // H5
				t.Errorf("%s: it has no topology spread constraints", p.owner)
			}
		}
	})
}

// drainOf returns how long a stopping container keeps serving, and how long requests may take to finish.
func drainOf(t *testing.T, c object) (delay, grace time.Duration) {
	t.Helper()
	read := func(s string) time.Duration {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Error(err)
		}
		return d
	}
	for _, e := range list(c, "env") {
		switch text(e, "name") {
		case "LECTERN_SHUTDOWN_DELAY":
			delay = read(text(e, "value"))
		case "LECTERN_SHUTDOWN_GRACE":
			grace = read(text(e, "value"))
		}
	}
	return delay, grace
}

// H4: every pod has a policy for both directions, which permits only the traffic listed in the values.
func TestNetworkPoliciesDenyUnlistedTraffic(t *testing.T) {
	objects := rendering{files: []string{"everything"}}.objects(t)
	for _, p := range pods(objects) {
		policy, err := find(objects, "NetworkPolicy", "-"+p.component)
		if err != nil {
			t.Fatal(err)
		}
		if types := texts(list(policy, "spec", "policyTypes")); !slices.Equal(types, []string{"Ingress", "Egress"}) ||
			text(policy, "spec", "podSelector", "matchLabels", "app.kubernetes.io/component") != p.component {
			t.Errorf("%s: %v", p.owner, policy)
		}
	}
	closed := rendering{files: []string{"static"}, set: []string{"networkPolicy.dnsPorts=null",
		"networkPolicy.metricsFrom=null", "staticExport.egress=null"}}.objects(t)
	policy, err := find(closed, "NetworkPolicy", "-docs")
	if err != nil {
		t.Fatal(err)
	}
	if out, in := list(policy, "spec", "egress"), list(policy, "spec", "ingress"); len(out) != 0 || len(in) != 1 ||
		text(list(in[0], "ports")[0], "port") != "http" {
		t.Errorf("nothing is listed, but egress is %v and ingress is %v", out, in)
	}
}

// Migrations run in a hook before installations and upgrades, with the default service account.
func TestMigrationsRunInAHook(t *testing.T) {
	job, err := find(rendering{files: []string{"platform"}}.objects(t), "Job", "-migrate")
	if err != nil {
		t.Fatal(err)
	}
	if hook := text(job, "metadata", "annotations", "helm.sh/hook"); hook != "pre-install,pre-upgrade" ||
		text(job, "spec", "template", "spec", "serviceAccountName") != "default" {
		t.Errorf("hook %q: %v", hook, job)
	}
}

// Prometheus and Grafana get the alerts and the dashboard exactly as in the chart's files; Helm does not interpret
// braces in them.
func TestAlertsAndDashboardMatchTheFiles(t *testing.T) {
	all := rendering{files: []string{"everything"}}.objects(t)
	rule, err := find(all, "PrometheusRule", "handbook")
	if err != nil {
		t.Fatal(err)
	}
	board, err := find(all, "ConfigMap", "-dashboard")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(chartFolder, "files", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if want := parse(t, read("alerts.yaml")); !reflect.DeepEqual(rule["spec"], any(want[0])) ||
		len(list(want[0], "groups")) == 0 {
		t.Errorf("the rules are %v", rule["spec"])
	}
	if got := text(board, "data", "lectern.json"); strings.TrimSpace(got) != strings.TrimSpace(
		read("dashboard.json")) || !json.Valid([]byte(got)) {
		t.Errorf("the dashboard is %s", got)
	}
}

// Metrics and health checks are reachable only inside the cluster, even if a load balancer exposes the server. Each
// service selects pods that have its ports.
func TestServicesTargetExistingPodPorts(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		for _, o := range objects {
			if kind(o) != "Service" {
				continue
			}
			p, err := podOf(objects, text(o, "spec", "selector", "app.kubernetes.io/component"))
			if err != nil {
				t.Errorf("%s targets no pod: %v", nameOf(o), err)
				continue
			}
			for _, port := range list(o, "spec", "ports") {
				if !slices.ContainsFunc(list(p.containers()[0], "ports"),
					func(c any) bool { return text(c, "name") == text(port, "targetPort") }) {
					t.Errorf("%s: pods have no port %s", nameOf(o), text(port, "targetPort"))
				}
				if strings.HasSuffix(nameOf(o), "-pods") {
					continue // names of single pods
				}
				if inside := text(o, "spec", "clusterIP") == "None"; inside != (text(port, "name") == "metrics") {
					t.Errorf("%s exposes %s, cluster-internal: %t", nameOf(o), text(port, "name"), inside)
				}
			}
		}
	})
}
