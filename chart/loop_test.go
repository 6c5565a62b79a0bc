package chart

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// helmStandIn renders the release instead of installing it. The rest of the script runs as in CI.
const helmStandIn = `#!/usr/bin/env bash
set -euo pipefail
[ "$1 $2" = "upgrade --install" ]
name=$3 chart=$4
shift 4
args=()
while [ $# -gt 0 ]; do
	case $1 in
	--reset-then-reuse-values | --wait) shift ;;
	--timeout) shift 2 ;;
	*) args+=("$1"); shift ;;
	esac
done
exec "$REAL_HELM" template "$name" "$chart" "${args[@]}"
`

// pinnedVersion reads the pinned version from the rendered pods.
func pinnedVersion(t *testing.T, all []object) string {
	t.Helper()
	p, err := podOf(all, "docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, arg := range texts(list(p.containers()[0], "args")) {
		if version, ok := strings.CutPrefix(arg, "--version="); ok {
			return version
		}
	}
	return ""
}

// The notes explain what happens to pods whose pinned version is unavailable, and to pods whose link has expired.
func TestNotesExplainUnmetPins(t *testing.T) {
	const unready, restarted, warning = "runs but stays unready", "fails and is restarted",
		"WARNING: one replica with its own volume"
	const pinned = "pods that have not been replaced yet keep serving"
	for set, want := range map[string][]string{
		"staticExport.version=v1":                                        {pinned},
		"staticExport.version=v1,staticExport.replicas=1":                {pinned, warning},
		"staticExport.version=v1,staticExport.persistence.enabled=false": {pinned, unready},
		"staticExport.persistence.enabled=false":                         {restarted},
		"staticExport.replicas=1":                                        nil,
	} {
		more := []string{"--set", "staticExport.version=," + set}
		out, errs, err := helm(t, rendering{files: []string{"static"}, more: more}.args("install", release, chartFolder,
			"--dry-run=client")...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", set, err, errs)
		}
		_, notes, _ := strings.Cut(out, "\nNOTES:\n")
		for _, sentence := range []string{unready, restarted, warning, pinned} {
			if strings.Contains(notes, sentence) != slices.Contains(want, sentence) {
				t.Errorf("%s: the notes are wrong about %q:\n%s", set, sentence, notes)
			}
		}
	}
}

// The notes that helm prints after an installation explain the next steps, for each set of values.
func TestNotesExplainNextSteps(t *testing.T) {
	for name, wants := range map[string][]string{
		"static": {"port-forward service/docs-lectern-docs 8080:80",
			"helm -n sites upgrade docs lectern-0.1.0.tgz --reset-then-reuse-values --set-string staticExport.bundleUrl=LINK", "exec docs-lectern-docs-0 -- lectern serve-bundle rollback", "helm -n sites test docs", "delete pvc -l app.kubernetes.io/instance=docs"},
		"static-secret": {"https://docs.example.com/docs/", "put the fresh link into the Secret docs-bundle"},
		"platform-openshift": {"The platform is at https://lectern.example.com",
			"exec deployment/docs-lectern-server -- lectern keys create", "owner's account"},
		"platform":    {"platform.trustedProxies is empty"},
		"everything":  {"create job handbook-export-now --from=cronjob/handbook-export"},
		"export-only": {"writes site.tar.gz to the claim web-root"},
	} {
		out, errs, err := helm(t,
			rendering{files: []string{name}}.args("install", release, chartFolder, "--dry-run=client")...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs)
		}
		_, notes, _ := strings.Cut(out, "\nNOTES:\n")
		for _, want := range wants {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: the notes lack %q:\n%s", name, want, notes)
			}
		}
	}
}

// A StatefulSet deletes its only pod before it starts the replacement, so an unavailable pinned version takes the site
// down. The notes warn of that.
func TestNotesWarnOfPinnedSinglePod(t *testing.T) {
	const version = "staticExport.version=v2"
	for name, c := range map[string]struct {
		set  []string
		want bool
	}{
		"one pod": {[]string{version, "staticExport.replicas=1"}, true},
		"one pod, digest": {[]string{"staticExport.sha256=" + strings.Repeat("a", 64),
			"staticExport.replicas=1"}, true},
		"scaled from one": {[]string{version, "staticExport.autoscaling.enabled=true",
			"staticExport.autoscaling.minReplicas=1"}, true},
		"two pods": {[]string{version, "staticExport.replicas=2"}, false},
		"scaled from two": {[]string{version, "staticExport.replicas=1",
			"staticExport.autoscaling.enabled=true", "staticExport.autoscaling.minReplicas=2"}, false},
		"no pin": {[]string{"staticExport.version=", "staticExport.replicas=1"}, false},
		"no volume": {[]string{version, "staticExport.replicas=1",
			"staticExport.persistence.enabled=false"}, false},
		"one claim, a Deployment": {[]string{version, "staticExport.replicas=1",
			"staticExport.persistence.existingClaim=bundles"}, false},
	} {
		out, errs, err := helm(t, rendering{files: []string{"static"}, set: c.set}.args("install", release, chartFolder,
			"--dry-run=client")...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs)
		}
		_, notes, _ := strings.Cut(out, "\nNOTES:\n")
		if got := strings.Contains(notes, "WARNING: there is a single pod"); got != c.want {
			t.Errorf("%s: warning shown: %v\n%s", name, got, notes)
		}
	}
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The chart accepts the values shown in the guide.
func TestChartAcceptsValuesFromGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/guides/kubernetes.mdx")
	if err != nil {
		t.Fatal(err)
	}
	known := readSchema(t)["properties"].(object)
	blocks := 0
	for _, m := range yamlBlock.FindAllStringSubmatch(string(guide), -1) {
		var values object
		if err := yaml.Unmarshal([]byte(m[1]), &values); err != nil {
			t.Fatalf("%v in\n%s", err, m[1])
		}
		if values["serve-new-docs"] != nil {
			continue // configuration of the CI system
		}
		blocks++
		for key := range values {
			if known[key] == nil {
				t.Errorf("the guide sets %s", key)
			}
		}
		if image := at(values, "image"); image != nil {
			image.(object)["digest"] = "" // truncated in the guide
		}
		file := filepath.Join(t.TempDir(), "values.json")
		writeJSON(t, file, values)
		// Incomplete values are rejected with the name of the missing value; schema errors are not acceptable.
		_, errs, err := helm(t, rendering{more: []string{"--values", file}}.args("template", release, chartFolder)...)
		if err != nil && (strings.Contains(errs, "schema") ||
			!strings.Contains(errs, "needs") && !strings.Contains(errs, "Nothing is enabled")) {
			t.Errorf("%s\n%s", m[1], errs)
		}
	}
	if blocks < 4 {
		t.Errorf("%d blocks of values", blocks)
	}
}
