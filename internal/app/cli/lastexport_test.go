package cli

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// authorFolder is a docs folder that is edited at random. The same seed produces the same edits.
type authorFolder struct {
	t    *testing.T
	dir  string
	rand *rand.Rand
	n    int
}

func (a *authorFolder) path(name string) string {
	return filepath.Join(a.dir, filepath.FromSlash(name))
}

func (a *authorFolder) write(name, text string) {
	a.t.Helper()
	if err := os.MkdirAll(filepath.Dir(a.path(name)), 0o755); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(a.path(name), []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

// page returns the name of an existing page.
func (a *authorFolder) page() string {
	all, err := filepath.Glob(a.path("guides/*.mdx"))
	if err != nil || len(all) == 0 {
		a.t.Fatal(err, all)
	}
	return "guides/" + filepath.Base(all[a.rand.IntN(len(all))])
}

func (a *authorFolder) text() string {
	return fmt.Sprintf("---\ntitle: Page %03d\n---\n\nimport Note from '/snippets/note.mdx';\n\n<Note />\n\nText %03d, [start](/guides/p0#top).\n",
		a.rand.IntN(1000), a.rand.IntN(1000))
}

// edit makes one typical edit and returns its description.
func (a *authorFolder) edit() string {
	a.n++
	name := a.page()
	old := read(a.t, a.path(name))
	switch a.rand.IntN(11) {
	case 0:
		a.write(name, old+fmt.Sprintf("Sentence %d.\n", a.n))
		return "text"
	case 1:
		a.write(name, strings.Replace(old, "title: ", "title: A ", 1))
		return "title"
	case 2:
		a.write(fmt.Sprintf("guides/new%d.mdx", a.n), a.text())
		return "new page"
	case 3:
		if a.n%2 == 0 && name != "guides/p0.mdx" {
			if err := os.Remove(a.path(name)); err != nil {
				a.t.Fatal(err)
			}
		}
		return "removed page"
	case 4:
		if name != "guides/p0.mdx" {
			if err := os.Rename(a.path(name), a.path(fmt.Sprintf("guides/moved%d.mdx", a.n))); err != nil {
				a.t.Fatal(err)
			}
		}
		return "renamed page"
	case 5:
		a.write("snippets/note.mdx", fmt.Sprintf("Note **%d**.\n", a.rand.IntN(5)))
		return "snippet"
	case 6:
		a.write("docs.json", fmt.Sprintf(`{"name": "Site %d", "navigation": {"pages": ["guides/p0", "guides/p1"]}}`, a.rand.IntN(3)))
		return "site file"
	case 7:
		now := time.Now()
		if err := os.Chtimes(a.path(name), now, now); err != nil {
			a.t.Fatal(err)
		}
		return "touched"
	case 8: // the same size and the same modification time
		info, err := os.Stat(a.path(name))
		if err != nil {
			a.t.Fatal(err)
		}
		a.write(name, strings.Map(func(r rune) rune {
			if r >= '0' && r <= '8' {
				return r + 1
			}
			return r
		}, old))
		if err := os.Chtimes(a.path(name), info.ModTime(), info.ModTime()); err != nil {
			a.t.Fatal(err)
		}
		return "same size, same time"
	case 9:
		a.write(name, old)
		return "saved without a change"
	}
	return "nothing"
}

// B6: after any edit of the sources and of the output, an export that can use the cache and the output of earlier ones
// writes the same as one without them.
func TestExportAfterAnyEditEqualsColdExport(t *testing.T) {
	t.Parallel()
	a := &authorFolder{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(7, 1))}
	a.write("docs.json", `{"name": "Site", "navigation": {"pages": ["guides/p0", "guides/p1"]}}`)
	a.write("snippets/note.mdx", "Note.\n")
	a.write("images/dot.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	for i := range 5 {
		a.write(fmt.Sprintf("guides/p%d.mdx", i), a.text())
	}
	a.write("images/staff.svg", `<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>`)
	a.write("guides/staff.mdx", "---\ntitle: Staff\ngroups: [staff]\n---\n\n![](/images/staff.svg)\n")
	a.write("guides/beta.mdx", "---\ntitle: Beta\ngroups: [beta, staff]\n---\n\nSoon: [staff](/guides/staff).\n")
	out := t.TempDir()
	archive, folder, cold := filepath.Join(out, "site.tar.gz"), filepath.Join(out, "site"), filepath.Join(out, "cold.tar.gz")
	cache := filepath.Join(out, "cache")
	var history []string
	for i := range tier.Choose(16, 40) {
		history = append(history, a.edit())
		switch i % 8 { // somebody else changes the output
		case 3:
			history = append(history, "output removed")
			if err := os.Remove(archive); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(folder, "guides", "p0.html")); err != nil {
				t.Fatal(err)
			}
		case 6:
			history = append(history, "output changed")
			for _, name := range []string{archive, filepath.Join(folder, "guides", "p0.html")} {
				data := []byte(read(t, name))
				data[len(data)/2] ^= 1
				if err := os.WriteFile(name, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		// the same version, for different readers
		flags := []string{a.dir, "--label", "v1"}
		if i%8 > 3 { // pages have preview images
			flags = append(flags, "--base-url", "https://docs.example.com")
		}
		if groups := []string{"", "staff", "beta", "staff,beta"}[a.rand.IntN(4)]; groups != "" {
			history, flags = append(history, "for "+groups), append(flags, "--groups", groups)
		}
		export := func(more ...string) runResult {
			t.Helper()
			return invoke(t, slices.Concat([]string{"export"}, flags, more)...).want(t, 0)
		}
		export("--out", archive, "--cache", cache)
		export("--out", folder, "--cache", cache)
		said := export("--out", cold, "--no-cache")
		if read(t, archive) != read(t, cold) {
			t.Fatalf("the archive differs after %q (%s)", history, said.stdout)
		}
		if got, want := list(t, folder), contents(t, cold); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("the folder has %v, want %v, after %q", got, want, history)
		}
		fresh := filepath.Join(out, "plain")
		export("--out", fresh, "--no-cache")
		compareFolder(t, folder, fresh, history)
	}
}

// compareFolder compares a folder with an export to an empty folder, and removes the latter.
func compareFolder(t *testing.T, folder, fresh string, history []string) {
	t.Helper()
	for _, name := range list(t, fresh) {
		if read(t, filepath.Join(folder, name)) != read(t, filepath.Join(fresh, name)) {
			t.Fatalf("%s differs after %q", name, history)
		}
	}
	if err := os.RemoveAll(fresh); err != nil {
		t.Fatal(err)
	}
}

// untimed removes the elapsed time from a result.
func untimed(said string) string {
	return regexp.MustCompile(`"seconds":[^,]*,`).ReplaceAllString(said, "")
}

// checkStamps checks that the cache contains the current stamps of an output, so that the next export can end early.
func checkStamps(t *testing.T, out, cache string) {
	t.Helper()
	store, err := buildcache.Open(cache, buildcache.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	c := caching{store, store.Begin()}
	defer c.close()
	folder := out
	if info, err := os.Stat(out); err != nil || !info.IsDir() {
		folder = filepath.Dir(out)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	known := c.stamps(&run{Process: Process{Now: time.Now}}, out)
	if !known.Check(root) || len(known.Names()) == 0 {
		t.Errorf("%s: the cache does not match every file: %v", out, known.Names())
	}
}

// An export that would write the existing output leaves it unchanged and prints the same result.
func TestExportLeavesOutputThatIsUpToDate(t *testing.T) {
	t.Parallel()
	dir, out := smallSite(t), t.TempDir()
	cache := filepath.Join(out, "cache")
	for _, name := range []string{"site.tar.gz", "site.zip", "site"} {
		name = filepath.Join(out, name)
		args := []string{"export", dir, "--out", name, "--cache", cache, "--json"}
		first := invoke(t, args...).want(t, 0)
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		second := invoke(t, args...).want(t, 0)
		if untimed(first.stdout) != untimed(second.stdout) {
			t.Errorf("%s: said %s, then %s", name, first.stdout, second.stdout)
		}
		after, err := os.Lstat(name)
		if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
			t.Errorf("%s was written again (%v)", name, err)
		}
		for i := range 2 { // an edit also changes names of files
			page := filepath.Join(dir, "guides", "start.mdx")
			if err := os.WriteFile(page, []byte(read(t, page)+fmt.Sprintf("Sentence %d.\n", i)), 0o644); err != nil {
				t.Fatal(err)
			}
			invoke(t, args...).want(t, 0)
			checkStamps(t, name, cache)
		}
		third := invoke(t, append(args, "--label", "v2")...).want(t, 0)
		if !strings.Contains(third.stdout, `"v2"`) {
			t.Errorf("%s: with another version it said %s", name, third.stdout)
		}
	}
}

// A build uses the folder lists from the earlier examination, but not the file sizes in them, which may have changed.
func TestListedFolderHasCurrentSizes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "pic.png")
	grow := func(size int) {
		t.Helper()
		if err := os.WriteFile(name, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	grow(1)
	var listed listedFolders
	src := examinedFS{os.DirFS(dir), &atomic.Bool{}, &listed}
	listed.start()
	if _, err := fs.ReadDir(src, "."); err != nil {
		t.Fatal(err)
	}
	listed.stop()
	grow(2)
	if err := os.WriteFile(filepath.Join(dir, "later.mdx"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 2} { // the list is passed on once
		entries, err := fs.ReadDir(src, ".")
		if err != nil || len(entries) != want {
			t.Fatalf("%d entries, want %d, %v", len(entries), want, err)
		}
		info, err := entries[len(entries)-1].Info()
		if err != nil || info.Size() != 2 {
			t.Errorf("%v, %v", info, err)
		}
	}
}
