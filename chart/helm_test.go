package chart

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// These versions equal those in tools/charttools; a test compares them.
const (
	helmVersion        = "v4.3.0"
	kubeconformVersion = "v0.8.0"
	kubernetesVersion  = "v1.36.3"
)

const (
	chartFolder = "lectern"
	release     = "docs"
	namespace   = "sites"
)

// cached returns the path of a file that tools/install-testservers put into the cache.
func cached(t testing.TB, name string) string {
	t.Helper()
	file, err := testserver.Installed(name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestToolVersionsMatchPins(t *testing.T) {
	module, err := os.ReadFile("../tools/charttools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	api, err := os.ReadFile("../tools/charttools/kubernetes.sum")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"helm.sh/helm/v4 " + helmVersion,
		"github.com/yannh/kubeconform " + kubeconformVersion} {
		if !bytes.Contains(module, []byte("\t"+text+" ")) {
			t.Errorf("tools/charttools/go.mod does not pin %s", text)
		}
	}
	score, err := os.ReadFile("../tools/kubescore/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(score, []byte("\tgithub.com/zegl/kube-score "+kubeScoreVersion+" ")) {
		t.Errorf("tools/kubescore/go.mod does not pin kube-score %s", kubeScoreVersion)
	}
	if !bytes.HasPrefix(api, []byte("k8s.io/kubernetes "+kubernetesVersion+" h1:")) {
		t.Errorf("tools/charttools/kubernetes.sum has %s", api)
	}
}

// helm runs the program with an empty home folder, so that a developer's plugins and repositories have no effect.
func helm(t testing.TB, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(cached(t, "bin/helm-"+helmVersion), args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "HELM_CACHE_HOME=" + home,
		"HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
		"GOGC=off"} // the tests run it 150 times, and collections are a quarter of its time
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// rendering describes a call of helm template: files with values, then single values as for --set.
type rendering struct {
	files []string // in testdata/values, without their extension
	set   []string // key=value
	texts []string // key=value, where the value is always text
	more  []string // further arguments
}

func (r rendering) args(command ...string) []string {
	args := append(command, "--namespace", namespace)
	for _, name := range r.files {
		args = append(args, "--values", valuesFile(name))
	}
	for _, s := range r.set {
		args = append(args, "--set", s)
	}
	for _, s := range r.texts {
		args = append(args, "--set-string", s)
	}
	return append(args, r.more...)
}

func valuesFile(name string) string { return filepath.Join("testdata", "values", name+".yaml") }

// render returns the chart rendered with the values, and fails the test if the chart rejects them.
func (r rendering) render(t testing.TB) string {
	t.Helper()
	args := r.args("template", release, chartFolder)
	key := strings.Join(args, "\n")
	if out, ok := rendered.Load(key); ok {
		return out.(string)
	}
	out, errs, err := helm(t, args...)
	if err != nil {
		t.Fatalf("helm template %v: %v\n%s", r, err, errs)
	}
	rendered.Store(key, out)
	return out
}

// rendered caches renderings by helm's arguments, because most tests use the same sets of values. Templates do not
// depend on randomness or time, and no test writes a values file twice.
var rendered sync.Map // arguments → string

// refusal returns the reason why the chart does not render.
func (r rendering) refusal(t testing.TB) string {
	t.Helper()
	out, errs, err := helm(t, r.args("template", release, chartFolder)...)
	var exit *exec.ExitError
	if err == nil {
		t.Errorf("rendered:\n%s", out)
	} else if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return errs
}

func (r rendering) objects(t testing.TB) []object {
	t.Helper()
	return parse(t, r.render(t))
}

// parse reads a stream of YAML documents.
func parse(t testing.TB, text string) (list []object) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("read the rendering: %v", err)
		}
		if o != nil {
			list = append(list, o)
		}
	}
}

// sets returns the names of all sets of values.
func sets(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob(valuesFile("*"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%d sets of values: %v", len(files), err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".yaml"))
	}
	return names
}
