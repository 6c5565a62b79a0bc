package race

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// goInstall builds a Go program into a cache folder named after its version.
func goInstall(ctx context.Context, o Options, pkg, version string) (string, error) {
	dir := filepath.Join(o.Cache, path.Base(pkg)+"-"+version)
	if _, err := os.Stat(filepath.Join(dir, path.Base(pkg))); err == nil {
		return dir, nil
	}
	fmt.Fprintf(o.Out, "installing %s %s\n", path.Base(pkg), version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "install", pkg+"@"+version)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOBIN="+dir, "CGO_ENABLED=0", "GOFLAGS=")
	return dir, runInstall(cmd)
}

// Install installs the packages of a lock file into a cache folder named after the lock file's digest. The folder
// gets its name when it is complete.
func Install(ctx context.Context, o Options, name string) (string, error) {
	files, err := fs.Sub(o.Peers, name)
	if err != nil {
		return "", err
	}
	lock, err := fs.ReadFile(files, "package-lock.json")
	if err != nil {
		return "", fmt.Errorf("read lock file: %w", err)
	}
	dir := filepath.Join(o.Cache, fmt.Sprintf("%s-%x", name, sha256.Sum256(lock))[:len(name)+13])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	fmt.Fprintf(o.Out, "installing %s\n", name)
	partial, err := os.MkdirTemp(o.Cache, name+"-partial-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(partial) }() // does nothing after a successful rename
	if err := os.CopyFS(partial, files); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = partial
	if err := runInstall(cmd); err != nil {
		return "", err
	}
	if err := os.Rename(partial, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another run may have been faster
		return "", err
	}
	return dir, nil
}

// runInstall runs a command; its error includes the start of the output.
func runInstall(cmd *exec.Cmd) error {
	said, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.FieldsFunc(string(said), func(r rune) bool { return r == '\n' })
		// npm and go print the reason first
		return fmt.Errorf("%w: %s", err, strings.Join(lines[:min(len(lines), 3)], "; "))
	}
	return nil
}

// nodeMemory lets Node use most of the machine's memory: its default limit is a few gigabytes, which is not enough
// for large sites.
func nodeMemory() []string {
	bytes := MachineMemory()
	if bytes == 0 {
		return nil
	}
	return []string{fmt.Sprintf("NODE_OPTIONS=--max-old-space-size=%d", bytes>>20*3/4)}
}

// MachineMemory returns the memory of the machine in bytes, or 0 if it is not known.
func MachineMemory() int64 {
	info, err := os.ReadFile("/proc/meminfo")
	var kib int64
	if _, scanErr := fmt.Sscanf(string(info), "MemTotal: %d kB", &kib); err != nil || scanErr != nil {
		return 0
	}
	return kib << 10
}
