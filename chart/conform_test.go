package chart

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// schemas writes a strict JSON Schema for each kind in the Kubernetes API description, and adds those in testdata/crd.
// The file names are those that kubeconform expects.
func schemas(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(cached(t, "kubernetes-"+kubernetesVersion+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Definitions map[string]object `json:"definitions"`
	}
	if err := json.Unmarshal(data, &api); err != nil {
		t.Fatal(err)
	}
	for _, d := range api.Definitions {
		closeObject(d)
	}
	dir := t.TempDir()
	for name, d := range api.Definitions {
		for _, k := range list(d, "x-kubernetes-group-version-kind") {
			group := cmp.Or(text(k, "group"), text(k, "version")) // kubeconform's name of the core group
			file := strings.ToLower(text(k, "kind")) + "-" + group + "-" + text(k, "version") + ".json"
			needed := map[string]object{}
			collect(name, api.Definitions, needed)
			writeJSON(t, filepath.Join(dir, file), object{"$ref": "#/definitions/" + name, "definitions": needed})
		}
	}
	own, err := filepath.Glob("testdata/crd/*.json")
	if err != nil || len(own) != 3 {
		t.Fatalf("%v: %v", own, err)
	}
	for _, file := range own {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// closeObject makes a schema reject unknown keys. Some fields may be numbers or strings.
func closeObject(d object) {
	if d["format"] == "int-or-string" {
		delete(d, "type")
		d["anyOf"] = []any{object{"type": "integer"}, object{"type": "string"}}
	}
	if properties, ok := d["properties"].(object); ok && d["additionalProperties"] == nil {
		d["additionalProperties"] = false
		for _, p := range properties {
			closeObject(p.(object))
		}
	}
	delete(d, "format") // formats of Go types, which are not part of JSON Schema
}

// collect adds a definition and all definitions that it refers to.
func collect(name string, all, into map[string]object) {
	if into[name] != nil || all[name] == nil {
		return
	}
	into[name] = all[name]
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case object:
			if ref, ok := v["$ref"].(string); ok {
				collect(strings.TrimPrefix(ref, "#/definitions/"), all, into)
			}
			for _, below := range v {
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(all[name])
}

func writeJSON(t *testing.T, file string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// conform runs kubeconform on a rendering and returns its output.
func conform(t *testing.T, schemas, rendered string) (string, error) {
	t.Helper()
	cmd := exec.Command(cached(t, "bin/kubeconform-"+kubeconformVersion), "-strict", "-summary", "-verbose",
		"-schema-location", schemas+"/{{ .ResourceKind }}-{{ .Group }}-{{ .ResourceAPIVersion }}.json", "-")
	cmd.Env = append(os.Environ(), "GOGC=off") // for speed, as for helm
	cmd.Stdin = strings.NewReader(rendered)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Kubernetes accepts every object: no unknown field, no wrong type, no missing required field.
func TestObjectsMatchKubernetesSchemas(t *testing.T) {
	folder := schemas(t)
	all := "" // kubeconform reads the schemas again in each run
	for _, name := range sets(t) {
		all += "---\n# values of " + name + "\n" + rendering{files: []string{name}, more: apiVersions(name)}.render(t)
	}
	out, err := conform(t, folder, all)
	if err != nil || !strings.Contains(out, "Invalid: 0, Errors: 0, Skipped: 0") {
		t.Errorf("%v\n%s", err, out)
	}
	good := strings.Split(rendering{files: []string{"everything"}}.render(t), "\n---\n")
	for name, row := range map[string][2]string{
		"misspelt key of a pod":     {"serviceAccountName:", "serviceAccountname:"},
		"misspelt key of a probe":   {"failureThreshold:", "failureTreshold:"},
		"text for a number":         {"terminationGracePeriodSeconds: ", "terminationGracePeriodSeconds: x"},
		"misspelt key of a monitor": {"targetLabels:", "targetLabel:"},
		"port that is missing":      {"containerPort: 8080", "name: x"},
		"kind that is none":         {"kind: CronJob", "kind: CronJobs"},
		"misspelt key of a claim":   {"storageClassName:", "storageclass:"},
		"selector that is a text": {"podSelector:\n    matchLabels:",
			"podSelector: x\n  other:\n    matchLabels:"},
		"misspelt key of a hook's job": {"backoffLimit:", "backOffLimit:"},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(good, func(object string) bool { return strings.Contains(object, row[0]) })
			if i < 0 {
				t.Fatalf("the rendering has no %q", row[0])
			}
			if out, err := conform(t, folder, strings.Replace(good[i], row[0], row[1], 1)); err == nil {
				t.Errorf("accepted:\n%s", out)
			}
		})
	}
}
