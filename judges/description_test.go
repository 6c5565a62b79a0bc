package judges

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// description is the path of the API description in the repository.
var description = filepath.Join("..", "api", "openapi.yaml")

// TestDescriptionIsValid validates the file and a server's response with several tools: all of them in nightly tests,
// and on every change those that have found the most mistakes.
func TestDescriptionIsValid(t *testing.T) {
	t.Parallel()
	served := servedDescription(t)
	readers := map[string]func(t *testing.T, paths ...string){"Redocly": lintWithRedocly, "PyYAML": readWithPyYAML}
	if tier.Nightly {
		maps.Copy(readers, map[string]func(t *testing.T, paths ...string){
			"Spectral": lintWithSpectral, "kin-openapi": checkWithKin, "libopenapi": checkWithLibopenapi})
	}
	for name, judge := range readers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			judge(t, description, served)
		})
	}
}

// servedDescription saves a running server's /openapi.json.
func servedDescription(t *testing.T) (path string) {
	t.Helper()
	return saveDescription(t, serve(t, "--first-site", "off"))
}

func saveDescription(t *testing.T, s server) (path string) {
	t.Helper()
	res, err := http.Get(s.url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v", res.Status, err)
	}
	var doc struct{ Servers []struct{ URL string } }
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Servers) != 1 || doc.Servers[0].URL != s.url {
		t.Errorf("the description names %v as its server, not %s (%v)", doc.Servers, s.url, err)
	}
	path = filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lintWithRedocly reads Redocly's report for each file, because Redocly exits with 0 if there are only warnings.
func lintWithRedocly(t *testing.T, paths ...string) {
	judged(t, "API description", npmVersion(t, "@redocly/cli"))
	paths = paths[:tier.Choose(1, len(paths))] // readWithPyYAML shows that the others are the same
	args := append([]string{"lint", "--config", "redocly.yaml", "--format", "json"}, paths...)
	out, err := nodeCommand(t, npmProgram(t, "redocly"), args...).Output()
	if err != nil {
		t.Errorf("%v", err)
	}
	reports := json.NewDecoder(bytes.NewReader(out))
	for _, path := range paths {
		var report struct{ Problems []json.RawMessage }
		if err := reports.Decode(&report); err != nil || report.Problems == nil {
			t.Fatalf("%s: no report: %v\n%s", path, err, out)
		}
		for _, problem := range report.Problems {
			t.Errorf("%s: %s", path, problem)
		}
	}
}

func lintWithSpectral(t *testing.T, paths ...string) {
	judged(t, "API description", npmVersion(t, "@stoplight/spectral-cli"))
	args := append([]string{"lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint"}, paths...)
	if out, err := nodeCommand(t, npmProgram(t, "spectral"), args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// readWithPyYAML compares the file as parsed by libyaml with the server's JSON, except for the server's address.
func readWithPyYAML(t *testing.T, paths ...string) {
	note := judged(t, "API description", "PyYAML (libyaml)")
	const program = `import sys, yaml, json; print(json.dumps(yaml.load(open(sys.argv[1]), Loader=yaml.CSafeLoader)))`
	var read []map[string]any
	for _, path := range paths {
		out, err := exec.CommandContext(t.Context(), pythonWithYAML(t), "-c", program, path).Output()
		var doc map[string]any
		if err == nil {
			err = json.Unmarshal(out, &doc)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		delete(doc, "servers")
		read = append(read, doc)
	}
	*note = "same as /openapi.json"
	if !reflect.DeepEqual(read[0], read[1]) {
		t.Error("libyaml and the server read the file differently")
	}
}

// pythonWithYAML returns a Python that has PyYAML, because the first one in PATH may not be the one that the system's
// package was installed for.
func pythonWithYAML(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), program, "-c", "import yaml; yaml.CSafeLoader").Run() == nil {
			return program
		}
	}
	t.Fatal("no Python with PyYAML: run tools/install-testservers")
	return ""
}

func checkWithKin(t *testing.T, paths ...string) {
	checkWithLibrary(t, "kin-openapi", "github.com/getkin/kin-openapi", paths)
}

func checkWithLibopenapi(t *testing.T, paths ...string) {
	checkWithLibrary(t, "libopenapi", "github.com/pb33f/libopenapi", paths)
}

func checkWithLibrary(t *testing.T, library, module string, paths []string) {
	t.Helper()
	judged(t, "API description", library+" "+goToolVersion(t, module))
	for _, path := range paths {
		cmd := exec.CommandContext(t.Context(), goTool(t, "checkdescription"), library, path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
}
