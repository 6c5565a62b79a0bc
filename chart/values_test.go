package chart

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func readValues(t *testing.T) object {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(chartFolder, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values object
	if err := yaml.Unmarshal(data, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func readSchema(t *testing.T) object {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(chartFolder, "values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema object
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// openMaps are objects whose keys the chart does not define: Kubernetes or Lectern itself rejects invalid ones.
var openMaps = []string{
	"global", "affinity", "settings", "labelSelector", "podSelector", "namespaceSelector",
	"configMap", "secret", "emptyDir", "persistentVolumeClaim", "projected", "csi", "downwardAPI", "ephemeral",
}

// H8: every object of the schema rejects unknown keys, except for those in openMaps.
func TestSchemaIsClosed(t *testing.T) {
	var walk func(path string, v any)
	walk = func(path string, v any) {
		m, ok := v.(object)
		if !ok {
			for i, item := range list(object{"": v}, "") {
				walk(fmt.Sprintf("%s[%d]", path, i), item)
			}
			return
		}
		name := path[strings.LastIndex(path, ".")+1:]
		if m["type"] == "object" {
			typed, isMap := m["additionalProperties"].(object)
			closed := m["additionalProperties"] == false || isMap && len(typed) > 0
			if closed == slices.Contains(openMaps, name) {
				t.Errorf("%s: closed is %t", path, closed)
			}
		}
		for key, below := range m {
			walk(path+"."+key, below)
		}
	}
	walk("schema", readSchema(t))
}

// leaves returns the dotted names of values. Maps whose keys the schema does not define, such as those in Kubernetes'
// own formats, count as one value.
func leaves(prefix string, v any, schema, root object) (names []string) {
	m, ok := v.(object)
	schema = resolve(schema, root)
	properties, known := schema["properties"].(object)
	if !ok || !known || strings.HasSuffix(prefix, "resources") {
		return []string{prefix}
	}
	for key, below := range m {
		next, _ := properties[key].(object)
		names = append(names, leaves(strings.TrimPrefix(prefix+"."+key, "."), below, next, root)...)
	}
	slices.Sort(names)
	return names
}

func resolve(schema, root object) object {
	if ref, ok := schema["$ref"].(string); ok {
		to, _ := at(root, "$defs", strings.TrimPrefix(ref, "#/$defs/")).(object)
		return to
	}
	return schema
}

// promised returns the dotted names in the schema, without the content of lists.
func promised(prefix string, schema, root object) (names []string) {
	schema = resolve(schema, root)
	properties, ok := schema["properties"].(object)
	if !ok || strings.HasSuffix(prefix, "resources") {
		return []string{prefix}
	}
	for key, below := range properties {
		names = append(names, promised(strings.TrimPrefix(prefix+"."+key, "."), below.(object), root)...)
	}
	slices.Sort(names)
	return names
}

// H8: values.yaml and the schema have the same keys, so that every value has a default and a type.
func TestEveryValueHasADefaultAndAType(t *testing.T) {
	schema := readSchema(t)
	got, want := leaves("", readValues(t), schema, schema), promised("", schema, schema)
	want = slices.DeleteFunc(want, func(n string) bool { return n == "global" })
	if !slices.Equal(got, want) {
		for _, n := range got {
			if !slices.Contains(want, n) {
				t.Errorf("the schema lacks %s", n)
			}
		}
		for _, n := range want {
			if !slices.Contains(got, n) {
				t.Errorf("values.yaml lacks %s", n)
			}
		}
	}
}

// H8: values that cannot work are rejected before anything is installed, with a message that names the value.
func TestInvalidValuesAreRefused(t *testing.T) {
	static, platform, export := []string{"static"}, []string{"platform"}, []string{"export-only"}
	for name, row := range map[string]struct {
		rendering
		want string
	}{
		"nothing enabled": {rendering{}, "Nothing is enabled"},
		"no source": {rendering{set: []string{"staticExport.enabled=true"}},
			"staticExport.enabled needs a source"},
		"two sources": {rendering{files: static, set: []string{"staticExport.bundleUrlSecret.name=x"}},
			"more than one source"},
		"three sources": {rendering{files: static,
			set: []string{"staticExport.bundleUrlSecret.name=x,staticExport.fromExportJob=true"}},
			"more than one source"},
		"from a job that is off": {rendering{
			set: []string{"staticExport.enabled=true,staticExport.fromExportJob=true"}}, "set exportJob.enabled"},
		"a pin that no export has": {rendering{files: []string{"everything"},
			set: []string{"exportJob.label=other"}}, "pins another version"},
		"a bucket without keys": {rendering{
			set: []string{"staticExport.enabled=true,staticExport.bundleUrl=s3://b/k"}}, "staticExport.s3Secret.name"},
		"unknown key": {rendering{files: static, set: []string{"staticExports.enabled=true"}},
			"additional properties 'staticExports' not allowed"},
		"unknown key below": {rendering{files: static, set: []string{"staticExport.bundleURL=x"}},
			"additional properties 'bundleURL' not allowed"},
		"unknown key far below": {rendering{files: static, set: []string{"staticExport.persistence.sise=1Gi"}},
			"additional properties 'sise' not allowed"},
		"text for a switch": {rendering{files: static, texts: []string{"staticExport.enabled=true"}},
			"got string, want boolean"},
		"number for a version": {rendering{files: static, set: []string{"staticExport.version=1"}},
			"got number, want string"},
		"text for a number": {rendering{files: static, texts: []string{"staticExport.replicas=2"}},
			"got string, want integer"},
		"a fraction of a pod": {rendering{files: static, set: []string{"staticExport.replicas=1.5"}},
			"want integer"},
		"an address without a scheme": {rendering{files: static,
			set: []string{"staticExport.bundleUrl=example.com/site.tar.gz"}}, "/staticExport/bundleUrl"},
		"a file's address": {rendering{files: static,
			set: []string{"staticExport.bundleUrl=file:///etc/passwd"}}, "/staticExport/bundleUrl"},
		"a digest cut short": {rendering{files: static, set: []string{"image.digest=sha256:abc"}},
			"/image/digest"},
		"root": {rendering{files: static, set: []string{"security.runAsUser=0"}},
			"/security/runAsUser"},
		"a privileged port": {rendering{files: static, set: []string{"staticExport.port=80"}},
			"/staticExport/port"},
		"one bundle kept": {rendering{files: static, set: []string{"staticExport.keep=1"}},
			"/staticExport/keep"},
		"a path without a slash": {rendering{files: static, set: []string{"staticExport.basePath=docs"}},
			"/staticExport/basePath"},
		"an interval without a unit": {rendering{files: static, texts: []string{"staticExport.pollInterval=5"}},
			"/staticExport/pollInterval"},
		"a host path": {rendering{files: static,
			set: []string{"staticExport.extraVolumes[0].name=x,staticExport.extraVolumes[0].hostPath.path=/"}},
			"additional properties 'hostPath' not allowed"},
		"a variable with two values": {rendering{files: static, set: []string{"staticExport.extraEnv[0].name=X"}},
			"/staticExport/extraEnv/0"},
		"an Ingress without hosts": {rendering{files: static, set: []string{"staticExport.ingress.enabled=true"}},
			"staticExport.ingress.hosts"},
		"a route without a gateway": {rendering{files: static, set: []string{"staticExport.httpRoute.enabled=true"}},
			"staticExport.httpRoute.parentRefs"},
		"a platform route without a gateway": {rendering{files: platform, set: []string{"platform.httpRoute.enabled=true"}},
			"platform.httpRoute.parentRefs"},
		"egress that is not a list": {rendering{files: static, set: []string{"staticExport.egress=all"}},
			"/staticExport/egress"},
		"an unknown retention policy": {rendering{files: static,
			set: []string{"staticExport.persistence.whenDeleted=Recycle"}}, "/staticExport/persistence/whenDeleted"},
		"a minimum above the maximum": {rendering{files: static,
			set: []string{"staticExport.autoscaling.enabled=true,staticExport.autoscaling.minReplicas=9"}},
			"minReplicas is more than maxReplicas"},
		"no address": {rendering{files: platform, set: []string{"platform.publicUrl="}},
			"platform.publicUrl"},
		"an address with a path": {rendering{files: platform,
			set: []string{"platform.publicUrl=https://a.example/b"}}, "/platform/publicUrl"},
		"no database": {rendering{files: platform, set: []string{"platform.databaseSecret.name="}},
			"platform.databaseSecret.name"},
		"a database among the values": {rendering{files: platform,
			set: []string{"platform.database=postgres://u:p@h/d"}}, "additional properties 'database' not allowed"},
		"a database in the settings": {rendering{files: platform,
			set: []string{"platform.settings.database=postgres://u:p@h/d"}},
			"platform.settings.database is set by the chart"},
		"a listener in the settings": {rendering{files: platform,
			set: []string{"platform.settings.metrics.listen=off"}}, "platform.settings.metrics is set by the chart"},
		"no bucket": {rendering{files: platform, set: []string{"platform.bucketUrl="}},
			"platform.bucketUrl"},
		"no keys of the bucket": {rendering{files: platform, set: []string{"platform.bucketSecret.name="}},
			"platform.bucketSecret.name"},
		"no secret key": {rendering{files: platform, set: []string{"platform.secretKeySecret.name="}},
			"platform.secretKeySecret.name"},
		"an unknown deployment type": {rendering{files: platform, set: []string{"platform.deploymentType=airgapped"}},
			"/platform/deploymentType"},
		"a platform without hosts": {rendering{files: platform, set: []string{"platform.ingress.enabled=true"}},
			"platform.ingress.hosts"},
		"a minimum of workers above the maximum": {rendering{files: platform,
			set: []string{"platform.worker.autoscaling.enabled=true,platform.worker.autoscaling.minReplicas=99"}},
			"platform.worker.autoscaling"},
		"an export without a domain": {rendering{files: export, set: []string{"exportJob.domain="}}, "exportJob.domain"},
		"an export without a server": {rendering{files: export, set: []string{"exportJob.url="}}, "exportJob.url"},
		"an export without a key": {rendering{files: export, set: []string{"exportJob.keySecret.name="}},
			"exportJob.keySecret.name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := row.refusal(t); !strings.Contains(got, row.want) {
				t.Errorf("refused with %s, want %q", got, row.want)
			}
		})
	}
}
