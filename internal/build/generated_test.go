package build

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// generated is a docs folder that is generated while it is read, so that a test measures only the build's memory.
type generated struct {
	pages  int
	opened *atomic.Int64
}

func (g *generated) Open(name string) (fs.File, error) {
	if name == "." {
		return &genDir{g: g}, nil
	}
	text, err := g.text(name)
	if err != nil {
		return nil, err
	}
	if g.opened != nil && strings.HasSuffix(name, ".mdx") {
		g.opened.Add(1)
	}
	return &genFile{info: genInfo{name, int64(len(text)), 0}, r: strings.NewReader(text)}, nil
}

func (g *generated) text(name string) (string, error) {
	if name == "docs.json" {
		var b strings.Builder
		b.WriteString(`{"name": "Generated", "navigation": [{"group": "All", "pages": [`)
		for i := range g.pages {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"p%06d"`, i)
		}
		return b.String() + "]}]}", nil
	}
	var i int
	if _, err := fmt.Sscanf(name, "p%06d.mdx", &i); err != nil || i >= g.pages {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	body := strings.Repeat(fmt.Sprintf("Paragraph of page %d with a [link](/p%06d#part-2) and `code`.\n\n", i,
		(i*7)%g.pages), 20)
	return fmt.Sprintf("---\ntitle: Page %d\n---\n%s\n## Part 1\n\n## Part 2\n\n```go\nfunc main() {}\n```\n", i, body),
		nil
}

type genInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i genInfo) Name() string               { return i.name }
func (i genInfo) Size() int64                { return i.size }
func (i genInfo) Mode() fs.FileMode          { return i.mode }
func (i genInfo) Type() fs.FileMode          { return i.mode.Type() }
func (i genInfo) Info() (fs.FileInfo, error) { return i, nil }
func (i genInfo) ModTime() time.Time         { return time.Time{} }
func (i genInfo) IsDir() bool                { return i.mode.IsDir() }
func (i genInfo) Sys() any                   { return nil }

type genFile struct {
	info genInfo
	r    io.Reader
}

func (f *genFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *genFile) Read(p []byte) (int, error) { return f.r.Read(p) }
func (f *genFile) Close() error               { return nil }

type genDir struct {
	genFile
	g *generated
}

func (d *genDir) Stat() (fs.FileInfo, error) { return genInfo{".", 0, fs.ModeDir}, nil }

func (d *genDir) ReadDir(int) ([]fs.DirEntry, error) {
	out := []fs.DirEntry{genInfo{"docs.json", 1, 0}}
	for i := range d.g.pages {
		out = append(out, genInfo{fmt.Sprintf("p%06d.mdx", i), 1, 0})
	}
	return out, nil
}

// weighing is a sink that measures the live heap near the last file and keeps nothing.
type weighing struct {
	at, seen int
	heap     uint64
}

func (w *weighing) Put(context.Context, output.File) error {
	if w.seen++; w.seen == w.at {
		w.heap = liveHeap()
	}
	return nil
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // the second frees what finalizers of the first released
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Memory must not grow with the number of pages, except for a small entry per page.
func TestMemoryDoesNotGrowWithPages(t *testing.T) {
	heap := func(pages int) int64 {
		before := liveHeap()
		w := &weighing{at: 4 + 2*pages} // the theme's files, then two for each page: measured at the last page
		r, err := Build(context.Background(), &generated{pages: pages}, Options{Workers: 2, Links: link.Relative}, w)
		if err != nil || r.Pages != pages {
			t.Fatalf("%v %+v", err, r)
		}
		if w.heap == 0 {
			t.Fatal("the heap was not measured")
		}
		return int64(w.heap) - int64(before)
	}
	const few, many = 200, 4000
	small, large := heap(few), heap(many)
	perPage := (large - small) / (many - few)
	t.Logf("%d KiB with %d pages, %d KiB with %d: %d bytes a page", small>>10, few, large>>10, many, perPage)
	// A page's HTML and Markdown take over 20 KiB here; an entry holds title, navigation, digests, first paragraph and
	// anchors.
	if perPage > 3<<10 {
		t.Errorf("a page costs %d bytes", perPage)
	}
}
