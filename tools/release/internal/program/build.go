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

// Platform is a system and an architecture, as Go names them.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Platforms are those a release has programs for. Windows is not among them: git is run in process groups, which
// Windows does not have.
func Platforms() []Platform {
	return []Platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"darwin", "amd64"}}
}

// Source is what is built.
type Source struct {
	Root    string // the checkout
	Version string // such as v1.2.3
	Commit  string // of the checkout, in full; "" if Dirty, since no commit has these files
	Dirty   bool   // files differ from the commit
	Time    time.Time
	Go      string // the toolchain that go.mod names, such as go1.26.8
}

var toolchain = regexp.MustCompile(`(?m)^go (1\.\d+\.\d+)$`)

// Toolchain reads which Go version a checkout is built with.
func Toolchain(root string) (string, error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("read toolchain: %w", err)
	}
	m := toolchain.FindSubmatch(mod)
	if m == nil {
		return "", fmt.Errorf("read toolchain: go.mod does not name one exactly")
	}
	return "go" + string(m[1]), nil
}

// Arguments returns the words after "go", apart from where the program goes. They are part of the provenance.
func (s Source) Arguments() []string {
	set := fmt.Sprintf("-s -w -X main.version=%s -X main.built=%s", s.Version, s.Time.UTC().Format(time.RFC3339))
	return []string{"build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=" + set}
}

// Environment returns what decides about the bytes beside the arguments: set here, so that the builder's own settings
// do not.
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
	// Where modules come from and where they are kept may be set by the builder: go.sum pins their bytes.
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

// keep drops variables of Go's own but those named here, which decide where modules and caches are and not what is
// built.
func keep(env []string) []string {
	named := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB",
		"GONOSUMDB"}
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return strings.HasPrefix(name, "GO") && !slices.Contains(named, name)
	})
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
