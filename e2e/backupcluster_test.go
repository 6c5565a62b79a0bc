package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// On PostgreSQL or S3, lectern backup writes nothing and refers to the guide.
func TestClusterBackupRefersToGuide(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	cmd := exec.CommandContext(t.Context(), binary, "backup", file, "--data", t.TempDir())
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, sharedSettings(t, database.Database(t))...)
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "docs/guides/backup.mdx") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a file was created: %v", err)
	}
}
