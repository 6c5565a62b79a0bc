package build

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// faultyCache is a cache that may lose and damage its entries.
type faultyCache struct {
	mu     sync.Mutex
	values map[[sha256.Size]byte][]byte
	rand   *rand.Rand
	loses  int // one in this many records is not found; 0 = none
	breaks int // one in this many records is damaged; 0 = none
	hits   int
}

func newFaultyCache(seed uint64) *faultyCache {
	return &faultyCache{values: map[[sha256.Size]byte][]byte{}, rand: rand.New(rand.NewPCG(seed, 3))}
}

// Get implements Cache.
func (m *faultyCache) Get(key [sha256.Size]byte) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	if !ok || m.loses > 0 && m.rand.IntN(m.loses) == 0 {
		return nil, false
	}
	m.hits++
	v = bytes.Clone(v)
	if m.breaks > 0 && len(v) > 0 && m.rand.IntN(m.breaks) == 0 {
		return v[:m.rand.IntN(len(v))], true
	}
	return v, true
}

// Put implements Cache.
func (m *faultyCache) Put(key [sha256.Size]byte, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = bytes.Clone(value)
}

// bundle builds an archive of the site and returns it with the report.
func bundle(t *testing.T, src fs.FS, opt Options) ([]byte, *Report) {
	t.Helper()
	var out bytes.Buffer
	archive := output.NewTarGz(&out)
	report, err := Build(t.Context(), src, opt, archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), report
}

// B6: after each of 200 edits of any kind, an incremental build gives the same archive as a cold build, byte for byte,
// even with a cache that loses or truncates records.
func TestIncrementalBuildEqualsColdBuild(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	for seed, kind := range []struct {
		name          string
		loses, breaks int
		opt           Options
	}{
		{"faithful", 0, 0, Options{Links: link.Relative}},
		{"published", 0, 0, Options{Links: link.Clean, BaseURL: "https://docs.example.com", Cards: true,
			MCP: "https://docs.example.com/mcp"}},
		{"forgetful", 4, 0, Options{Links: link.Relative, ErrorPages: true}},
		{"damaged", 0, 5, Options{Links: link.Relative, BaseURL: "https://docs.example.com"}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			g := newEditedFolder(t, uint64(100+seed))
			src := os.DirFS(g.dir)
			cache := newFaultyCache(uint64(seed))
			cache.loses, cache.breaks = kind.loses, kind.breaks
			opt := kind.opt
			opt.Tools, opt.Offers.Search, opt.Manifest = tools, true, true
			start := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
			var history []string
			for i := range tier.Choose(20, 50) {
				what, _ := g.edit()
				opt.Now, opt.Modified = start.AddDate(i/5%2, 0, i/5%2), func(file string) time.Time {
					return time.Unix(int64(1e9+len(file)+i/10%2), 0)
				}
				if opt.Paths = nil; i%7 == 3 { // a build of some pages shares the cache with builds of all pages
					opt.Paths = []string{"index", "b/code"}
				}
				history = append(history, what)
				opt.Cache, opt.Workers, opt.Sum = nil, 1, nil
				cold, fresh := bundle(t, src, opt)
				opt.Cache, opt.Workers, opt.Sum = cache, 3, g.sum
				warm, report := bundle(t, src, opt)
				if !bytes.Equal(cold, warm) || report.TreeHash != fresh.TreeHash || !slices.Equal(report.Diagnostics,
					fresh.Diagnostics) || report.Pages != fresh.Pages || report.Failed != fresh.Failed {
					reportDifference(t, src, opt, cache)
					t.Fatalf("the archive differs after %q:\n%v\n%v", history, report.Diagnostics, fresh.Diagnostics)
				}
			}
			if cache.hits == 0 {
				t.Error("nothing was reused")
			}
		})
	}
}

// sum returns the digest of a file, as a caller of Build may provide it; for some files it is unknown.
func (g *editedFolder) sum(file string) (sum [sha256.Size]byte, ok bool) {
	data, err := os.ReadFile(filepath.Join(g.dir, filepath.FromSlash(file)))
	return sha256.Sum256(data), err == nil && len(data)%5 > 0
}

// savedFS is a folder in which one file is saved right after its nth read.
type savedFS struct {
	fs.FS
	name string
	left atomic.Int32
	save func()
}

// Open implements fs.FS.
func (s *savedFS) Open(name string) (fs.File, error) {
	if name != s.name {
		return s.FS.Open(name)
	}
	data, err := fs.ReadFile(s.FS, name)
	if s.left.Add(-1) == 0 {
		s.save()
	}
	if err != nil {
		return nil, err
	}
	return fstest.MapFS{name: {Data: data}}.Open(name)
}

// B6: if a file is saved during a build, the build leaves no cache record that a later build mistakes for the new state
// of the file.
func TestFileSavedDuringBuildIsNotReusedLater(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	for _, name := range []string{"snippets/note.mdx", "snippets/box.jsx", "snippets/data.json"} {
		t.Run(name, func(t *testing.T) {
			later := map[string]string{"snippets/note.mdx": "Saved later.\n",
				"snippets/box.jsx": "export const Box = () => <b>later</b>\n", "snippets/data.json": `{"n": 77}`}[name]
			late := 0
			for reads := range 3 {
				g := newEditedFolder(t, 1)
				cache := newFaultyCache(1)
				opt := Options{Links: link.Relative, Tools: tools, Offers: capability.Offers{Search: true},
					Manifest: true, Workers: 1, Cache: cache}
				src := &savedFS{FS: os.DirFS(g.dir), name: name, save: func() { g.write(name, later) }}
				src.left.Store(int32(reads + 1))
				before, _ := bundle(t, src, opt)
				warm, _ := bundle(t, os.DirFS(g.dir), opt)
				opt.Cache = nil
				cold, _ := bundle(t, os.DirFS(g.dir), opt)
				if !bytes.Equal(cold, warm) {
					reportDifference(t, os.DirFS(g.dir), opt, cache)
					t.Fatalf("the archive differs when the file was saved after %d reads", reads+1)
				}
				if src.left.Load() <= 0 && !bytes.Equal(before, cold) {
					late++
				}
			}
			if late == 0 {
				t.Error("the file was never saved after a page was built from it")
			}
		})
	}
}

// reportDifference logs which files differ when a build uses the cache.
func reportDifference(t *testing.T, src fs.FS, opt Options, cache Cache) {
	t.Helper()
	var files [2]memorySink
	for i, c := range []Cache{nil, cache} {
		files[i] = memorySink{}
		opt.Cache = c
		if _, err := Build(t.Context(), src, opt, files[i]); err != nil {
			t.Error(err)
		}
	}
	for name, f := range files[0] {
		if !sameFile(files[1][name], f) {
			t.Errorf("%s differs:\n%s\n---\n%s", name, files[1][name].Data, f.Data)
		}
	}
}

// counted is a cache that counts stored records.
type counted struct {
	*faultyCache
	puts int
}

// Put implements Cache.
func (c *counted) Put(key [sha256.Size]byte, value []byte) {
	c.faultyCache.mu.Lock()
	c.puts++
	c.faultyCache.mu.Unlock()
	c.faultyCache.Put(key, value)
}

// After a change, a build stores only what depends on it.
func TestChangeRebuildsOnlyWhatDependsOnIt(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	g := newEditedFolder(t, 1)
	const docs = `{"$schema": "x", "name": %q, "theme": "mint", "colors": {"primary": %q}, "navigation": {"pages": ["index", "a/one", "a/two"%s]}}`
	for i := range 60 {
		g.write(fmt.Sprintf("many/p%02d.mdx", i),
			fmt.Sprintf(
				"---\ntitle: P%d\n---\n\nSome text %d that is long enough to be worth a page, with [a link](/a/one).\n",
				i, i))
	}
	cache := &counted{faultyCache: newFaultyCache(1)}
	build := func(what string, most int) {
		t.Helper()
		cache.puts = 0
		bundle(t, os.DirFS(g.dir),
			Options{Links: link.Relative, Tools: tools, Offers: capability.Offers{Search: true}, Cache: cache})
		if cache.puts > most {
			t.Errorf("%s: %d records were rebuilt, but at most %d depend on it", what, cache.puts, most)
		}
		t.Logf("%s: %d records", what, cache.puts)
	}
	build("first", 1<<20)
	build("nothing", 0)
	g.write("many/p07.mdx", "---\ntitle: P7\n---\n\nOther text, which nobody but this page shows.\n")
	// stores the page's content, document and Markdown form, the records of its group, both parts of its segment and the
	// keys of its pages, files with its words, lists of all pages
	build("one page", 14)
	g.write("snippets/note.mdx", "Another **note**.\n")
	build("a snippet of one page", 14)
	g.write("docs.json", fmt.Sprintf(docs, "Garden", "#654321", ""))
	build("a colour", 3*66+20) // contents may use the colour in their styles; documents refer to the style sheet by name
}
