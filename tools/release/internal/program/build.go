package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Platform is an operating system and an architecture, as named by Go.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Platforms returns the platforms of a release. Windows is not supported, because git runs in process groups, which
// Windows does not have.
func Platforms() []Platform {
	return []Platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"darwin", "amd64"}}
}

// Source describes what to build.
type Source struct {
	Root    string // the checkout
	Version string // such as v1.2.3
	Commit  string // full id; "" if Dirty, because no commit contains these files
	Dirty   bool   // files differ from the commit
	Time    time.Time
	Go      string // Go toolchain required by go.mod, such as go1.26.8
}

var toolchain = regexp.MustCompile(`(?m)^go (1\.\d+\.\d+)$`)

// Toolchain returns the Go version with which a checkout is built.
func Toolchain(root string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("read toolchain: %w", err)
	}
	m := toolchain.FindSubmatch(mod)
	if m == nil {
		return "", fmt.Errorf("read toolchain: go.mod does not contain an exact version")
	}
	return "go" + string(m[1]), nil
}

// Arguments returns the arguments of the go command, except for the output path. They are part of the provenance.
func (s Source) Arguments() []string {
	set := fmt.Sprintf("-s -w -X main.version=%s -X main.built=%s", s.Version, s.Time.UTC().Format(time.RFC3339))
	return []string{"build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=" + set}
}

// Environment returns the other inputs that affect the bytes. They are set explicitly so that the builder's own
// settings have no effect.
func (s Source) Environment(p Platform) []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + p.OS, "GOARCH=" + p.Arch, "GOTOOLCHAIN=" + s.Go, "GOFLAGS=",
		"GOWORK=off", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GODEBUG=",
		"GOENV=off"}
}

// Build returns the program for a platform.
func (s Source) Build(ctx context.Context, p Platform) ([]byte, error) {
	dir, err := os.MkdirTemp("", "lectern-build-")
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", p, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out := filepath.Join(dir, "lectern")
	cmd := exec.CommandContext(ctx, "go", append(s.Arguments(), "-o", out, "./cmd/lectern")...)
	cmd.Dir = s.Root
	// The builder may set where modules come from and where they are stored, because go.sum pins their content.
	cmd.Env = append(keep(cmd.Environ()), s.Environment(p)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build %s: %w: %s", p, err, tail(stderr.String(), 2000))
	}
	b, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", p, err)
	}
	return b, nil
}

// keep drops Go's variables except those listed here, which affect only where modules and caches are stored.
func keep(env []string) []string {
	named := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB",
		"GONOSUMDB"}
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return strings.HasPrefix(name, "GO") && !slices.Contains(named, name)
	})
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
