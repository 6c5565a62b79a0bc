package judges

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// nodeProgram returns the path of Node for the judges. Several of them need a newer version than the machine may have,
// so it is pinned in package.json too.
func nodeProgram(t *testing.T) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	path, err := filepath.Abs(filepath.Join("node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node"))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("the judges are not installed, run `make judges`: %v", err)
	}
	return path
}

// nodeCommand returns a command that runs an npm package's program, or a script in this folder, with that Node.
func nodeCommand(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	program := nodeProgram(t)
	cmd := exec.CommandContext(t.Context(), program, append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "DO_NOT_TRACK=1")
	return cmd
}

// npmProgram returns the path of the script that an npm package installs under the given name.
func npmProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		t.Fatalf("the judges are not installed, run `make judges`: %v", err)
	}
	return path
}

// npmVersion returns the installed version of a package, for the table.
func npmVersion(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("node_modules", filepath.FromSlash(name), "package.json"))
	var manifest struct{ Version string }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatalf("the judges are not installed, run `make judges`: %v", err)
	}
	return name + " " + manifest.Version
}
