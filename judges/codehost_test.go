//go:build nightly

package judges

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The code host drivers' requests, and the responses of the fakes in their tests, match the vendors' descriptions:
// GitHub's and Bitbucket's OpenAPI files, and GitLab's own client. Gitea needs no fake.
func TestCodeHostRequestsMatchVendorDescriptions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var drivers []string
	for _, name := range []string{"github", "gitlab", "bitbucket"} {
		drivers = append(drivers, "./internal/source/forge/"+name)
	}
	record := exec.CommandContext(t.Context(), "go", append(append([]string{"test", "-count=1", "-vet=off"}, drivers...),
		"-args", "-exchanges", folder)...)
	record.Dir = ".."
	if out, err := record.CombinedOutput(); err != nil {
		t.Fatalf("record the drivers' requests: %v\n%s", err, out)
	}
	t.Run("GitHub and Bitbucket", func(t *testing.T) {
		note := judged(t, "Code hosts: GitHub, Bitbucket", "types of their OpenAPI files: "+
			npmVersion(t, "@octokit/openapi-types")+", "+npmVersion(t, "@coderabbitai/bitbucket"))
		*note = lastLine(t, nodeCommand(t, "codehost.mjs", folder, filepath.Join(t.TempDir(), "types")))
	})
	t.Run("GitLab", func(t *testing.T) {
		note := judged(t, "Code hosts: GitLab",
			"its Go client "+goToolVersion(t, "gitlab.com/gitlab-org/api/client-go"))
		files, err := filepath.Glob(filepath.Join(folder, "gitlab-*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("nothing was recorded: %v", err)
		}
		*note = lastLine(t, exec.CommandContext(t.Context(), goTool(t, "checkgitlab"), files...))
	})
}

// lastLine runs a judge and returns the last line of its output, which states what was compared.
func lastLine(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
