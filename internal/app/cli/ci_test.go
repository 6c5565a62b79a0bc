package cli

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
)

// ciVersion is the release that tests of CI scripts install. It contains this test program under the name of the real
// one.
const ciVersion = "1.2.3"

// serveRelease serves the files of a release as the code host does, and returns the address and the archive's digest.
func serveRelease(t *testing.T) (address, sum string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "v"+ciVersion)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("lectern_%s_%s_%s", ciVersion, runtime.GOOS, runtime.GOARCH)
	archive, err := os.Create(filepath.Join(dir, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	program := read(t, self)
	packed, err := gzip.NewWriterLevel(archive, gzip.NoCompression) // the program is large
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(packed)
	if err := files.WriteHeader(&tar.Header{Name: name + "/lectern", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(program)); err != nil {
		t.Fatal(err)
	}
	for _, close := range []func() error{files.Close, packed.Close, archive.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	digest.Write([]byte(read(t, archive.Name())))
	sum = fmt.Sprintf("%x", digest.Sum(nil))
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"),
		[]byte(sum+"  "+name+".tar.gz\n"+strings.Repeat("0", 64)+"  other.tar.gz\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(dir))))
	t.Cleanup(server.Close)
	return server.URL, sum
}

// readYAML reads a file at the root of the repository.
func readYAML(t *testing.T, name string) *jsontree.Value {
	t.Helper()
	doc, err := yamltree.Parse(name, []byte(read(t, filepath.Join("../../..", name))), yamltree.Options{
		Limits: jsontree.Limits{Bytes: 1 << 20, Depth: 50, Values: 10_000}, Single: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

// ciScripts returns the scripts of the action and of the template, in order.
func ciScripts(t *testing.T) (action, template []string) {
	t.Helper()
	for _, step := range readYAML(t, "action.yml").Get("runs").Get("steps").Items {
		if step.Get("uses") != nil || step.Get("shell").Text() != "sh" {
			t.Error("a step of the action uses another action or another shell")
		}
		action = append(action, step.Get("run").Text())
	}
	job := readYAML(t, "packaging/ci/gitlab.yml").Get(".lectern-check")
	for _, part := range []string{"before_script", "script"} {
		for _, one := range job.Get(part).Items {
			template = append(template, one.Text())
		}
	}
	return action, template
}

// runScript runs a CI script in a folder.
func runScript(t *testing.T, dir, script string, env map[string]string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestActionAndTemplateRunTheSameScripts(t *testing.T) {
	t.Parallel()
	action, template := ciScripts(t)
	if len(action) != 2 || len(template) != 2 ||
		action[0]+"cd \"$CI_PROJECT_DIR\"\n" != template[0] || action[1] != template[1] {
		t.Errorf("the scripts differ:\n%q\n%q", action, template)
	}
	for _, script := range append(action, template...) {
		if strings.Contains(script, "${{") {
			t.Error("a value is written into a script, where it could become a command")
		}
	}
}

func TestCIScriptsInstallReleaseAndCompareWithBase(t *testing.T) {
	t.Parallel()
	address, sum := serveRelease(t)
	s := newGitSite(t, baseFiles())
	base := s.git("rev-parse", "HEAD")
	s.commit("Drop deploy", map[string]string{"guides/deploy.mdx": "",
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start"]}}`})
	s.git("config", "uploadpack.allowAnySHA1InWant", "true") // as code hosts do
	_, scripts := ciScripts(t)

	clone := filepath.Join(t.TempDir(), "clone") // a shallow clone, as in CI
	s.git("clone", "-q", "--depth=1", "file://"+s.root, clone)
	summary := filepath.Join(t.TempDir(), "summary.md")
	env := map[string]string{"LECTERN_VERSION": ciVersion, "LECTERN_RELEASES": address, "CI_PROJECT_DIR": clone,
		"LECTERN_FOLDER": filepath.Join(t.TempDir(), "program"), "LECTERN_DOCS": "docs", "LECTERN_BASE": base,
		"LECTERN_STRICT": "true", "LECTERN_MARKDOWN": "check.md", "LECTERN_SARIF": "check.sarif",
		"GITHUB_STEP_SUMMARY": summary}
	if out, err := runScript(t, clone, scripts[0], env); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := runScript(t, clone, scripts[1], env)
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 || !strings.Contains(out, "[lost-address]") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range []string{summary, filepath.Join(clone, "check.md"), filepath.Join(clone, "check.sarif")} {
		if !strings.Contains(read(t, file), "lost-address") {
			t.Errorf("%s lacks the finding", file)
		}
	}

	for name, change := range map[string]map[string]string{
		"a pinned digest":   {"LECTERN_SHA256": sum},
		"a wrong digest":    {"LECTERN_SHA256": strings.Repeat("1", 64)},
		"a missing release": {"LECTERN_VERSION": "9.9.9"},
	} {
		env := map[string]string{"LECTERN_VERSION": ciVersion, "LECTERN_RELEASES": address, "CI_PROJECT_DIR": clone,
			"LECTERN_FOLDER": filepath.Join(t.TempDir(), "program")}
		for k, v := range change {
			env[k] = v
		}
		out, err := runScript(t, clone, scripts[0], env)
		_, missing := os.Stat(filepath.Join(env["LECTERN_FOLDER"], "lectern"))
		if good := name == "a pinned digest"; (err == nil) != good || (missing == nil) != good {
			t.Errorf("%s: %v, program: %v\n%s", name, err, missing, out)
		}
	}
	env["LECTERN_BASE"] = ""
	if out, err := runScript(t, clone, scripts[1], env); err == nil || !strings.Contains(out, "no commit to compare with") {
		t.Errorf("%v\n%s", err, out)
	}
}
