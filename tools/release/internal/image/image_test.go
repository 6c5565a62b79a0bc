package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// small returns an image of two architectures that differ in one file.
func small(t *testing.T) []byte {
	t.Helper()
	at := time.Unix(1700000000, 0)
	i := Image{Name: "small", Version: "1.2.3", Revision: "abc", Time: at, Entrypoint: []string{"/x"}}
	var variants []Variant
	for _, arch := range []string{"amd64", "arm64"} {
		base, err := NewLayer("base",
			Base(tree.File{Name: "etc/ssl/certs/ca-certificates.crt", Mode: 0o644, Body: []byte("none")}), at)
		if err != nil {
			t.Fatal(err)
		}
		top, err := NewLayer("top", []tree.File{{Name: "x", Mode: 0o755, Body: []byte(arch)}}, at)
		if err != nil {
			t.Fatal(err)
		}
		variants = append(variants,
			Variant{Arch: arch, Layers: []Layer{base, top}, Parts: []byte(`{"about":"` + arch + `"}`)})
	}
	body, err := i.Layout(variants)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// H11: the library that registries' own tools use accepts the image layout.
func TestLayoutIsValid(t *testing.T) {
	dir := t.TempDir()
	unpack(t, small(t), dir)
	path, err := layout.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	top, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	m, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Manifests) != 3 || m.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" {
		t.Fatalf("index.json has %+v", m.Manifests)
	}
	index, err := top.ImageIndex(m.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
}

func TestLayoutRoundTrips(t *testing.T) {
	body := small(t)
	if !bytes.Equal(body, small(t)) {
		t.Error("the same image has different bytes the second time")
	}
	r, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Variants) != 2 || string(r.Variants[1].Parts) != `{"about":"arm64"}` ||
		r.Variants[1].Config.Config.User != "65532:65532" {
		t.Errorf("read back as %+v", r.Variants)
	}
}

func TestChangedLayoutIsRefused(t *testing.T) {
	body := small(t)
	for name, change := range map[string]func(name string, content []byte) (string, []byte){
		"a byte of a blob": func(n string, c []byte) (string, []byte) { return n, flip(n, c, "blobs/") },
		"another blob": func(n string, c []byte) (string, []byte) {
			return strings.Replace(n, "oci-layout", "blobs/sha256/abc", 1), c
		},
		"no marker": func(n string, c []byte) (string, []byte) { return n, flip(n, c, "oci-layout") },
		"a size": func(n string, c []byte) (string, []byte) {
			return n, bytes.Replace(c, []byte(`"size":`), []byte(`"size":1`), 1)
		},
		"a file beside them": func(n string, c []byte) (string, []byte) {
			return strings.Replace(n, "index.json", "other.json", 1), c
		},
	} {
		if _, err := Parse(rewrite(t, body, change)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := Parse(rewrite(t, body, func(n string, c []byte) (string, []byte) { return n, c })); err != nil {
		t.Errorf("the unchanged layout is refused: %v", err)
	}
}

func flip(name string, content []byte, prefix string) []byte {
	if !strings.HasPrefix(name, prefix) {
		return content
	}
	out := slices.Clone(content)
	out[len(out)/2] ^= 1
	return out
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("index.json"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := Parse(b); err == nil && len(r.Variants) == 0 {
			t.Fatal("a layout without images was accepted")
		}
	})
}

// After a push, the registry has the layout's content and finds the lists of parts by their images.
func TestPushSendsEverything(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.WithReferrersSupport(true),
		registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	r, err := Parse(small(t))
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(server.URL, "http://")
	digest, err := r.Push(t.Context(), host+"/docs/small:1.2.3", authn.Anonymous)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.ParseReference(host + "/docs/small:1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	index, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := index.Digest(); err != nil || got.String() != digest || digest != r.Index.Digest.String() {
		t.Errorf("the registry has %s, but %s was pushed (error %v)", got, digest, err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	for _, v := range r.Variants {
		about, err := remote.Referrers(ref.Context().Digest(v.Descriptor.Digest.String()))
		if err != nil {
			t.Fatal(err)
		}
		m, err := about.IndexManifest()
		if err != nil || len(m.Manifests) != 1 {
			t.Fatalf("the image for %s has the referrers %+v (error %v)", v.Platform.Architecture, m, err)
		}
		list, err := remote.Image(ref.Context().Digest(m.Manifests[0].Digest.String()))
		if err != nil {
			t.Fatal(err)
		}
		if what, err := list.Manifest(); err != nil || what.ArtifactType != PartsType ||
			what.Subject.Digest != v.Descriptor.Digest {
			t.Errorf("the referrer of the image for %s is %+v (error %v)", v.Platform.Architecture, what, err)
		}
	}
}

func unpack(t *testing.T, body []byte, dir string) {
	t.Helper()
	rewrite(t, body, func(name string, content []byte) (string, []byte) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return name, content
	})
}

// rewrite copies an archive with changed files.
func rewrite(t *testing.T, body []byte, change func(string, []byte) (string, []byte)) []byte {
	t.Helper()
	var files []tree.File
	for tr := tar.NewReader(bytes.NewReader(body)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			n, c := change(h.Name, content)
			files = append(files, tree.File{Name: n, Mode: 0o644, Body: c})
		}
	}
	var out bytes.Buffer
	if err := tree.Tar(&out, "", files, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
