package sitehost

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// contents provides manifests and the contents of their files.
type contents interface {
	manifest(ctx context.Context, key string) (deploy.Manifest, error)
	open(ctx context.Context, m deploy.Manifest, f deploy.File) (io.ReadSeekCloser, error)
}

// stored reads published sites.
type stored struct{ blob blob.Store }

func (s stored) manifest(ctx context.Context, key string) (deploy.Manifest, error) {
	return publish.LoadManifest(ctx, s.blob, key)
}

func (s stored) open(ctx context.Context, m deploy.Manifest, f deploy.File) (io.ReadSeekCloser, error) {
	return publish.OpenFile(ctx, s.blob, m, f)
}

// Built is a site in memory that can be served as if it were published. It is a sink for a build, and must not change
// once it is served.
type Built struct {
	Manifest deploy.Manifest
	bySHA    map[string][]byte
}

// Put keeps a copy of a file.
func (b *Built) Put(_ context.Context, f output.File) error {
	if b.bySHA == nil {
		b.bySHA, b.Manifest.Files = map[string][]byte{}, map[string]deploy.File{}
	}
	file := publish.Describe(f)
	file.Length = file.Size
	b.Manifest.Files[f.Path] = file
	if _, ok := b.bySHA[file.SHA256]; ok {
		return nil
	}
	data, err := f.Bytes()
	if err != nil {
		return err
	}
	b.bySHA[file.SHA256] = bytes.Clone(data)
	return nil
}

func (b *Built) manifest(context.Context, string) (deploy.Manifest, error) { return b.Manifest, nil }

func (b *Built) open(_ context.Context, _ deploy.Manifest, f deploy.File) (io.ReadSeekCloser, error) {
	data, ok := b.bySHA[f.SHA256]
	if !ok {
		return nil, fmt.Errorf("open site file: no content %s", f.SHA256)
	}
	return closer{bytes.NewReader(data)}, nil
}

// Single serves one site in memory by the rules for published ones.
func Single(opt Options, b *Built) http.Handler {
	h := New(opt)
	h.store = b
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.serve(w, r, Site{ProjectID: "local", ManifestKey: "local"})
	})
}

// Library returns a library that reads the site with the given manifest.
func (h *Host) Library(ctx context.Context, manifestKey string) (*sitereader.Library, error) {
	t, err := h.tree(ctx, manifestKey)
	if err != nil {
		return nil, err
	}
	return h.library(manifestKey, t), nil
}

// maxIndexed is the maximum size of the search index data that a library caches, in bytes as stored.
const maxIndexed = 32 << 20

// libraryOf returns the library for the requested version of a site.
func (h *Host) libraryOf(s Site, t *tree) *sitereader.Library {
	if s.version == "" {
		return h.library(s.ManifestKey, t)
	}
	return h.library(s.home+"\n"+s.ManifestKey+"\n"+s.version, t)
}

// library returns a tree's library. The library caches parts of the search index, so the cache of libraries counts it
// with the maximum size that it can reach.
func (h *Host) library(key string, t *tree) *sitereader.Library {
	if l, ok := h.shelves.get(key); ok {
		return l
	}
	size := int64(1 << 10)
	for name, f := range t.manifest.Files {
		if strings.HasPrefix(name, searchindex.Folder+"/") {
			size += f.Size
		}
	}
	l := sitereader.New(t.manifest.Name, versionFiles{h, t}).WithNotes(t.manifest.Notes)
	h.shelves.put(key, l, min(size, maxIndexed))
	return l
}

// Library returns a library that reads the site from memory.
func (b *Built) Library() *sitereader.Library {
	return sitereader.New(b.Manifest.Name, b).WithNotes(b.Manifest.Notes)
}

// Has reports whether a file exists.
func (b *Built) Has(name string) bool {
	_, ok := b.Manifest.Files[name]
	return ok
}

// Read returns a file's content, which must not be modified.
func (b *Built) Read(_ context.Context, name string) ([]byte, error) {
	data, ok := b.bySHA[b.Manifest.Files[name].SHA256]
	if !ok {
		return nil, fmt.Errorf("read site file: no file %q", name)
	}
	return data, nil
}

// versionFiles provides one published version's files to its library.
type versionFiles struct {
	host *Host
	tree *tree
}

func (s versionFiles) Has(name string) bool { return s.tree.has(name) }

// maxLibraryFile is the maximum size of a file that a program can read, in bytes.
const maxLibraryFile = 64 << 20

func (s versionFiles) Read(ctx context.Context, name string) ([]byte, error) {
	f, ok := s.tree.manifest.Files[name]
	if !ok || f.Size > maxLibraryFile {
		return nil, fmt.Errorf("read site file: %q is missing or too large", name)
	}
	r, _, err := s.host.content(ctx, s.tree, f, s.tree.naming(name, f), false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // read only
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read site file: %w", err)
	}
	return raw, nil
}
