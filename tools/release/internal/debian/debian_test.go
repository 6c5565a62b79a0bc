package debian

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

func TestRepositoryLockFileRoundTrips(t *testing.T) {
	text, err := os.ReadFile("../../../../packaging/debian.lock")
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseLock(string(text))
	if err != nil || l.String() != string(text) {
		t.Fatalf("the file differs from the output of Lock (error %v)", err)
	}
	if a, b := names(l.For("amd64")), names(l.For("arm64")); a != b || !strings.Contains(a, " git ") {
		t.Errorf("the architectures have different packages:\n%s\n%s", a, b)
	}
}

func names(list []Package) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.Name + " ")
	}
	return b.String()
}

func FuzzParseLock(f *testing.F) {
	f.Add("suite x\nrelease 1\nsnapshot y\namd64 git 1 2 " + strings.Repeat("ab", 32) + " debian/pool/g.deb\n")
	f.Add("# nothing\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLock(text)
		if err != nil {
			return
		}
		again, err := ParseLock(l.String())
		if err != nil || again.String() != l.String() {
			t.Fatalf("a lock file does not round-trip: %v", err)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("!<arch>\ndebian-binary   0           0     0     100644  4         `\n2.0\n"))
	f.Add([]byte("!<arch>\ncontrol.tar     0           0     0     100644  3         `\nabc\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		members, err := Members(b)
		if err != nil {
			return
		}
		for _, m := range members {
			if len(m.Body) > len(b) {
				t.Fatal("a member is larger than its archive")
			}
		}
		_, _ = Unpack(b)
	})
}

// S3: a package that is not the pinned one is not used.
func TestPackageWithWrongDigestIsRefused(t *testing.T) {
	good := []byte("the package")
	sum := sha256.Sum256(good)
	p := Package{Arch: "amd64", Name: "x", Version: "1", Size: int64(len(good)), SHA256: hex.EncodeToString(sum[:]),
		Path: "debian/pool/x.deb"}
	l := Lock{Snapshot: "20260102T030405Z"}
	answers := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(body))
	}))
	defer server.Close()
	s := Store{Dir: t.TempDir(), Mirror: server.URL, Archive: server.URL + "/archive", Client: server.Client()}
	for _, bad := range []string{"the pack4ge", "the package and more", ""} {
		answers["/debian/pool/x.deb"] = bad
		if b, err := s.Fetch(t.Context(), l, p); err == nil {
			t.Errorf("%q was accepted as the package", b)
		} else if errors.Is(err, ErrDropped) {
			t.Errorf("%q in its place is reported as dropped: %v", bad, err)
		}
	}
	// The mirror has removed the package; the snapshot archive still has it.
	delete(answers, "/debian/pool/x.deb")
	if b, err := s.Fetch(t.Context(), l, p); !errors.Is(err, ErrDropped) {
		t.Errorf("an unknown package is %q and %v", b, err)
	}
	answers["/archive/debian/20260102T030405Z/pool/x.deb"] = "the pack4ge"
	if b, err := s.Fetch(t.Context(), l, p); err == nil || errors.Is(err, ErrDropped) {
		t.Errorf("other bytes from the archive are %q and %v", b, err)
	}
	answers["/archive/debian/20260102T030405Z/pool/x.deb"] = string(good)
	if b, err := s.Fetch(t.Context(), l, p); err != nil || string(b) != string(good) {
		t.Fatalf("got %q and %v from the archive", b, err)
	}
	server.Close()
	if _, err := s.Fetch(t.Context(), l, p); err != nil {
		t.Errorf("the cached package is fetched again: %v", err)
	}
	if err := os.WriteFile(s.Dir+"/"+p.SHA256+".deb", []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Fetch(t.Context(), l, p); err == nil {
		t.Errorf("a damaged cached package was used: %q", b)
	}
}

func TestPickRefusesProgramsWithoutTheirLibraries(t *testing.T) {
	self, err := os.ReadFile("/bin/sh") // any program with libraries
	if err != nil {
		t.Fatal(err)
	}
	var files []tree.File
	for _, name := range programs {
		files = append(files, tree.File{Name: name, Mode: 0o755, Body: self})
	}
	if _, _, err := Pick(map[string]Content{"x": {Files: files}}); err == nil ||
		!strings.Contains(err.Error(), "no package has") {
		t.Errorf("programs without a C library are picked (error %v)", err)
	}
}
