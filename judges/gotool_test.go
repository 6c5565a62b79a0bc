package judges

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// goTools are the programs of tools/judgetools, by name.
var goTools = map[string]string{
	"checkdescription": "./checkdescription",
	"checkgitlab":      "./checkgitlab",
	"oapi-codegen":     "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
}

// built records the result of building the programs, which happens once, when a test first needs one.
var built struct {
	once sync.Once
	err  error
	out  []byte
}

// goTool returns the path of a program of tools/judgetools.
func goTool(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(binary), "judgetools")
	built.once.Do(func() {
		// Without the commit, because otherwise checkdescription would be rebuilt for every commit, which takes 18 s.
		args := []string{"build", "-C", filepath.Join("..", "tools", "judgetools"), "-trimpath", "-buildvcs=false", "-o",
			dir + string(filepath.Separator)}
		for _, pkg := range goTools {
			args = append(args, pkg)
		}
		cmd := exec.Command("go", args...) // without the context of the first test that needs it
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		built.out, built.err = cmd.CombinedOutput()
	})
	if built.err != nil {
		t.Fatalf("build tools/judgetools: %v\n%s", built.err, built.out)
	}
	return filepath.Join(dir, name)
}

// goToolVersion returns the version of a module pinned in tools/judgetools/go.mod, for the table.
func goToolVersion(t *testing.T, module string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "tools", "judgetools", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("tools/judgetools/go.mod does not require %s", module)
	}
	return string(found[1])
}
