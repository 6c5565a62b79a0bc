//go:build nightly

package judges

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// TestGeneratedClientsExportSite generates clients from the description and compiles each with a program that exports
// a running server's site: start, poll, download.
func TestGeneratedClientsExportSite(t *testing.T) {
	t.Parallel()
	s := serve(t)
	awaitSite(t, s, "docs.localhost")
	for name, judge := range map[string]func(t *testing.T, dir string) *exec.Cmd{
		"openapi-typescript": generateTypes, "hey-api": generateSDK, "oapi-codegen": generateGo,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := judge(t, t.TempDir())
			program.Env = append(program.Environ(), "LECTERN_URL="+s.url, "LECTERN_KEY="+s.key,
				"LECTERN_DOMAIN=docs.localhost")
			var got struct {
				Pages                 int
				Described, Downloaded string
			}
			if err := json.Unmarshal(output(t, program), &got); err != nil {
				t.Fatal(err)
			}
			if got.Pages == 0 || len(got.Downloaded) != 64 || got.Downloaded != got.Described {
				t.Errorf("the export has %d pages and the digest %q, the link says %q", got.Pages, got.Downloaded,
					got.Described)
			}
		})
	}
}

// awaitSite waits until the site that a server publishes at its first start can be exported.
func awaitSite(t *testing.T, s server, domain string) {
	t.Helper()
	s.process.Await("the first site", func() bool {
		list, err := s.client.ListProjects(t.Context(), client.ListProjectsParams{})
		if err != nil {
			return false
		}
		return slices.ContainsFunc(list.Projects,
			func(p client.Project) bool { return p.Domain == domain && p.Live != nil })
	})
}

func generateTypes(t *testing.T, dir string) *exec.Cmd {
	judged(t, "generated client", npmVersion(t, "openapi-typescript"))
	output(t, nodeCommand(t, npmProgram(t, "openapi-typescript"), description, "-o",
		filepath.Join(dir, "generated", "types.ts")))
	return compileTypeScript(t, dir, "typed")
}

func generateSDK(t *testing.T, dir string) *exec.Cmd {
	judged(t, "generated client", npmVersion(t, "@hey-api/openapi-ts"))
	output(t, nodeCommand(t, npmProgram(t, "openapi-ts"), "-i", description, "-o",
		filepath.Join(dir, "generated", "sdk"), "--no-log-file"))
	return compileTypeScript(t, dir, "sdk")
}

// compileTypeScript compiles a program from testdata with the generated client next to it.
func compileTypeScript(t *testing.T, dir, name string) *exec.Cmd {
	t.Helper()
	for _, file := range []string{name + ".ts", "tsconfig.json"} {
		copyFile(t, filepath.Join("testdata", "clients", file), filepath.Join(dir, file))
	}
	output(t, nodeCommand(t, npmProgram(t, "tsc"), "-p", dir))
	return nodeCommand(t, filepath.Join(dir, "built", name+".js"))
}

// generateGo creates a separate module with the versions pinned in tools/judgetools.
func generateGo(t *testing.T, dir string) *exec.Cmd {
	judged(t, "generated client", "oapi-codegen "+goToolVersion(t, "github.com/oapi-codegen/oapi-codegen/v2"))
	for _, file := range []string{"go.mod", "go.sum"} {
		copyFile(t, filepath.Join("..", "tools", "judgetools", file), filepath.Join(dir, file))
	}
	copyFile(t, filepath.Join("testdata", "clients", "export.go"), filepath.Join(dir, "main.go"))
	generated := filepath.Join(dir, "lecternapi", "client.go")
	if err := os.Mkdir(filepath.Dir(generated), 0o700); err != nil {
		t.Fatal(err)
	}
	output(t, exec.CommandContext(t.Context(), goTool(t, "oapi-codegen"), "-generate", "types,client", "-package",
		"lecternapi",
		"-o", generated, description))
	program := filepath.Join(dir, "export")
	build := exec.CommandContext(t.Context(), "go", "build", "-C", dir, "-trimpath", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	output(t, build)
	return exec.CommandContext(t.Context(), program)
}

// output returns the output of a program. It fails the test if the program fails.
func output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd.Args, err, out, &problems)
	}
	return out
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
