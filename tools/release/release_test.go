package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/bom"
	"github.com/lectern-docs/lectern/tools/release/internal/debian"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

const (
	version = "1.2.3-rc.1"
	repo    = "../.."
)

var (
	// The architecture is this machine's, because the tests run the program.
	linux = program.Platform{OS: "linux", Arch: runtime.GOARCH}
	// testKey is only for these tests.
	testKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
)

// built is the release that all tests inspect. It is built once, from checkout, a copy of the repository at the start
// of the tests. TestMain sets both.
var built, checkout string

var released []byte // set by releasedProgram; these tests do not run in parallel

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if os.Getenv(filterVariable) != "" {
		return filtered(os.Args[1:])
	}
	if os.Geteuid() != 0 {
		// An unprivileged user namespace is not enough: it has only one user, and dpkg assigns files to another.
		fmt.Fprintln(os.Stderr,
			"these tests mount file systems, install the package with dpkg in a copy of the system, and run programs as several users: "+
				"they need root. Run them with sudo -E, or in a container as root with CAP_SYS_ADMIN.")
		return 1
	}
	dir, err := os.MkdirTemp("", "lectern-release-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	built, checkout = filepath.Join(dir, "dist"), filepath.Join(dir, "checkout")
	if err := firstError(copyCheckout(repo, checkout), mirrored(context.Background(), checkout, os.Stderr),
		write(context.Background(), checkout, built)); err != nil {
		fmt.Fprintln(os.Stderr, "build the release that the tests look at:", err)
		return 1
	}
	return m.Run()
}

// write builds a release for one platform from a checkout, including its changes.
func write(ctx context.Context, root, dir string) error {
	lock, err := os.ReadFile(filepath.Join(root, lockFile))
	if err != nil {
		return err
	}
	r := dist.Release{Platforms: []program.Platform{linux}, Builder: "https://example.com/tests", Log: func(string) {},
		Source: program.Source{Root: root, Version: "v" + version, Commit: strings.Repeat("c0", 20),
			Time: time.Unix(1700000000, 0)},
		Store: store()}
	if r.Source.Go, err = program.Toolchain(root); err != nil {
		return err
	}
	if r.Lock, err = debian.ParseLock(string(lock)); err != nil {
		return err
	}
	if err := r.Write(ctx, dir); err != nil {
		return err
	}
	return dist.Sign(dir, testKey)
}

// cacheDir returns the Makefile's CACHE.
func cacheDir() string {
	if dir := os.Getenv("LECTERN_CACHE"); dir != "" {
		return dir
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "lectern")
	}
	return os.TempDir()
}

// S1: program, package, images, chart, lists of parts and provenance have the same bytes when built in another folder.
func TestReleaseDoesNotDependOnFolder(t *testing.T) {
	elsewhere, again := filepath.Join(t.TempDir(), "another", "place"), filepath.Join(t.TempDir(), "dist")
	if err := firstError(os.CopyFS(elsewhere, os.DirFS(checkout)), write(t.Context(), elsewhere, again)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dist.SumsFile, dist.SignatureFile} {
		if one, other := read(t, filepath.Join(built, name)),
			read(t, filepath.Join(again, name)); !bytes.Equal(one, other) {
			t.Errorf("%s differs:\n%s\n%s", name, one, other)
		}
	}
	for _, secret := range []string{elsewhere, checkout, absolute(t, repo)} {
		if bytes.Contains(releasedProgram(t), []byte(secret)) {
			t.Errorf("the program contains the path %s", secret)
		}
	}
}

// S1, S5: packing the npm packages gives the same bytes each time.
func TestPackedWebFilesAreReproducible(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "another")
	if err := os.CopyFS(elsewhere, os.DirFS(checkout)); err != nil {
		t.Fatal(err)
	}
	before := digests(t, filepath.Join(elsewhere, "web/npm/dist"))
	// Use a mount, because a link would be followed and reveal another path.
	if err := os.Mkdir(filepath.Join(elsewhere, "web/npm/node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	output(t, apart(t.Context(),
		`mount --make-rprivate /; mount --bind "$1" "$2/web/npm/node_modules"; cd "$2"; exec go run -trimpath ./tools/packweb`,
		absolute(t, repo+"/web/npm/node_modules"), elsewhere))
	after := digests(t, filepath.Join(elsewhere, "web/npm/dist"))
	if len(after) < 10 {
		t.Fatalf("only %d files were packed", len(after))
	}
	for name, sum := range before {
		if after[name] != sum {
			t.Errorf("%s has different bytes the second time", name)
		}
	}
}

// S2, H11: the list of parts contains exactly the modules that the Go tool finds in the program.
func TestPartsListMatchesGoTool(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "lectern")
	if err := os.WriteFile(exe, releasedProgram(t), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "version", "-m", exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for line := range strings.SplitSeq(string(out), "\n") {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			want["pkg:golang/"+f[1]+"@"+f[2]] = true
		}
	}
	if len(want) < 20 {
		t.Fatalf("the Go tool finds only %d modules:\n%s", len(want), out)
	}
	for _, name := range []string{dist.Parts(version, linux), dist.ImageParts("lectern", version, linux.Arch),
		dist.ImageParts("lectern-platform", version, linux.Arch)} {
		d, err := bom.Parse(read(t, filepath.Join(built, name)))
		if err != nil {
			t.Fatal(err)
		}
		have, kinds := map[string]bool{}, map[string]int{}
		for _, c := range d.Components {
			kind, _, _ := strings.Cut(c.PURL, "/")
			kinds[kind]++
			if kind == "pkg:golang" && c.Name != "stdlib" {
				have[c.PURL] = true
			}
			if kind != "pkg:deb" && c.Ref != "lectern" && len(c.Licences) == 0 {
				t.Errorf("%s: %s has no licence", name, c.Ref)
			}
		}
		if fmt.Sprint(have) != fmt.Sprint(want) {
			t.Errorf("%s has the modules %v, the Go tool finds %v", name, have, want)
		}
		if kinds["pkg:npm"] < 10 || strings.Contains(name, "platform") != (kinds["pkg:deb"] > 1) {
			t.Errorf("%s has parts of these kinds: %v", name, kinds)
		}
	}
}

// S3: nothing is released without a reviewed licence.
func TestModuleWithoutLicenceIsRefused(t *testing.T) {
	licences := bom.ParseLicences(string(read(t, repo+"/THIRD_PARTY.md")))
	if _, err := bom.Modules(releasedProgram(t), licences); err != nil {
		t.Fatal(err)
	}
	for name := range licences {
		if strings.HasPrefix(name, "modernc.org/sqlite@") {
			delete(licences, name)
		}
	}
	if _, err := bom.Modules(releasedProgram(t), licences); err == nil ||
		!strings.Contains(err.Error(), "modernc.org/sqlite") {
		t.Errorf("accepted (error %v)", err)
	}
}

func TestProgramIsStaticAndPrintsVersion(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "lectern")
	if err := os.WriteFile(exe, releasedProgram(t), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(exe, "--version").Output()
	if err != nil || !strings.Contains(string(out), "v"+version) {
		t.Errorf("the program prints %q (error %v)", out, err)
	}
	binary, err := elf.NewFile(bytes.NewReader(releasedProgram(t)))
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := binary.ImportedLibraries()
	if err != nil || len(libraries) > 0 ||
		slices.ContainsFunc(binary.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("the program is not static: it needs %v or a loader (error %v)", libraries, err)
	}
}

// releasedProgram returns the release's program; the archive is unpacked once.
func releasedProgram(t *testing.T) []byte {
	t.Helper()
	if released == nil {
		released = files(t, filepath.Join(built, dist.Archive(version, linux)))["lectern_"+version+"_linux_"+linux.Arch+
			"/lectern"]
	}
	return released
}

// copyCheckout copies the files that git would include, and the packed web files.
func copyCheckout(from, to string) error {
	out, err := exec.Command("git", "-C", from, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	list := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	err = fs.WalkDir(os.DirFS(from), "web/npm/dist", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range list {
		info, err := os.Lstat(filepath.Join(from, name))
		if err != nil || !info.Mode().IsRegular() {
			continue // removed, but still in git's index
		}
		body, err := os.ReadFile(filepath.Join(from, name))
		if err := firstError(err, os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755),
			os.WriteFile(filepath.Join(to, name), body, info.Mode().Perm())); err != nil {
			return err
		}
	}
	// The chart contains only files that git tracks.
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "x"}} {
		cmd := exec.Command("git", append([]string{"-C", to}, args...)...)
		cmd.Env = append(cmd.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out[name] = fmt.Sprintf("%x", sha256.Sum256(read(t, filepath.Join(dir, name))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
