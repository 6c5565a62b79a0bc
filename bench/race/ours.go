package race

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ours is this repository's program with one folder.
type ours struct {
	lab    *lab
	binary string
	cached bool // whether it has a build cache
	rounds int
	site   site
	dir    string // pages
	cache  string
	edited string // the page whose text is edited
	edits  int
}

// result contains the relevant fields of `lectern export --json`.
type result struct {
	Pages        int    `json:"pages"`
	Files        int    `json:"files"`
	Bytes        int64  `json:"bytes"`
	ArchiveBytes int64  `json:"archiveBytes"`
	TreeHash     string `json:"treeHash"`
}

// hasCache reports whether a program's export supports --cache.
func hasCache(ctx context.Context, binary string) (bool, error) {
	help, err := exec.CommandContext(ctx, binary, "export", "--help").Output()
	if err != nil {
		return false, fmt.Errorf("ask %s for help: %w", binary, err)
	}
	return bytes.Contains(help, []byte("--cache")), nil
}

// open writes the pages of a site.
func (o ours) open(s site) (*ours, error) {
	name := fmt.Sprintf("plain-%d", s.pages)
	if s.mdx {
		name = fmt.Sprintf("mdx-%d", s.pages)
	}
	o.site, o.dir, o.cache, o.edited = s, o.lab.path(name), o.lab.path(name+"-cache"), s.file(s.pages/2)
	return &o, s.write(o.dir)
}

// out returns the output path for a format.
func (o *ours) out(format string) string {
	if format == "dir" {
		return o.dir + "-out"
	}
	return o.dir + "-out." + format
}

// cold deletes everything but the pages.
func (o *ours) cold(format string) error {
	return errors.Join(os.RemoveAll(o.cache), os.RemoveAll(o.out(format)))
}

// cacheHolds is the number of pages that fit into a cache of the default size.
const cacheHolds = 20_000

// remove deletes all files of this site.
func (o *ours) remove() {
	_ = errors.Join(o.cold("dir"), o.cold("tar.gz"), os.RemoveAll(o.dir)) // the work folder is removed at the end
}

// export runs the program once and checks that it exported every page.
func (o *ours) export(ctx context.Context, format string) (*took, *result, error) {
	args := []string{o.binary, "export", o.dir, "--out", o.out(format), "--format", format, "--json"}
	if o.cached {
		args = append(args, "--cache", o.cache)
	}
	var env []string
	if o.site.pages > cacheHolds {
		env = []string{fmt.Sprintf("LECTERN_CACHE_MAX_BYTES=%d", int64(o.site.pages)<<17)}
	}
	t, err := o.lab.run(ctx, command{dir: o.lab.work, args: args, env: env})
	if err != nil {
		return nil, nil, err
	}
	if t.Killed == "limit" {
		return t, nil, fmt.Errorf("export %s: it took longer than %v", filepath.Base(o.dir), o.lab.limit)
	}
	if why := o.lab.why(t); why != "" {
		return t, nil, fmt.Errorf("export %s: %s", filepath.Base(o.dir), why)
	}
	said, err := os.ReadFile(o.lab.path("stdout"))
	if err != nil {
		return nil, nil, err
	}
	var r result
	if err := json.Unmarshal(said, &r); err != nil {
		return nil, nil, fmt.Errorf("read output of export: %w", err)
	}
	if r.Pages < o.site.pages {
		return nil, nil, fmt.Errorf("%d of %d pages were exported", r.Pages, o.site.pages)
	}
	return t, &r, nil
}

// long is the duration in seconds after which a row is not measured again.
const long = 60

// measure repeats an export, calling prepare before each run, and checks that the output changed if it had to.
func (o *ours) measure(ctx context.Context, name, format string, changes bool, prepare func() error) (figure, error) {
	var runs []*took
	var last *result
	for spent := 0.0; len(runs) < o.rounds && spent < long; {
		if err := prepare(); err != nil {
			return figure{}, err
		}
		t, r, err := o.export(ctx, format)
		if err != nil {
			return figure{}, fmt.Errorf("%s: %w", name, err)
		}
		if last != nil && (last.TreeHash != r.TreeHash) != changes {
			return figure{}, fmt.Errorf("%s: tree %s after %s", name, r.TreeHash, last.TreeHash)
		}
		last = r
		runs = append(runs, t)
		spent += t.Wall
	}
	f := best(name, runs)
	f.files, f.bytes = last.Files, last.Bytes
	if last.ArchiveBytes > 0 {
		f.bytes = last.ArchiveBytes
	}
	return f, nil
}

// step is an export after a change.
type step struct {
	name   string
	change func() error // nil = nothing changed
}

func (o *ours) steps() []step {
	list := []step{{"warm, nothing changed", nil}, {"one page's text changed", o.editText},
		{"one page's title changed", o.editTitle}}
	if o.site.mdx {
		list = append(list, step{"the theme's colour changed", o.editColour})
	}
	return list
}

// rows measures a cold export and one after each step.
func (o *ours) rows(ctx context.Context, kind, format string, steps []step, show func(figure)) (cold, page figure,
	err error) {
	cold, err = o.measure(ctx, kind+": cold", format, false, func() error { return o.cold(format) })
	if err != nil {
		return cold, page, err
	}
	show(cold)
	for _, s := range steps {
		prepare := s.change
		if prepare == nil {
			prepare = func() error { return nil }
		}
		f, err := o.measure(ctx, kind+": "+s.name, format, s.change != nil, prepare)
		if err != nil {
			return cold, page, err
		}
		show(f)
		if strings.Contains(s.name, "text") {
			page = f
		}
	}
	return cold, page, nil
}

// sameAsCold compares the output of a cached build after many edits with that of a cold build.
func (o *ours) sameAsCold(ctx context.Context, format string) error {
	_, warm, err := o.export(ctx, format)
	if err != nil {
		return err
	}
	if err := o.cold(format); err != nil {
		return err
	}
	_, cold, err := o.export(ctx, format)
	if err == nil && cold.TreeHash != warm.TreeHash {
		err = fmt.Errorf("an export with a cache has the tree %s, one without %s", warm.TreeHash, cold.TreeHash)
	}
	return err
}

// editText adds a sentence to a page.
func (o *ours) editText() error {
	o.edits++
	return editFile(filepath.Join(o.dir, filepath.FromSlash(o.edited)), func(page string) string {
		return fmt.Sprintf("%s\nThe edition of this page is number %d.\n", page, o.edits)
	})
}

// editTitle changes a page's title in the navigation.
func (o *ours) editTitle() error {
	o.edits++
	return editFile(filepath.Join(o.dir, filepath.FromSlash(o.site.file(o.site.pages/3))), func(page string) string {
		_, rest, _ := strings.Cut(page, "\ndescription:")
		return fmt.Sprintf("---\ntitle: \"Edition %d\"\ndescription:%s", o.edits, rest)
	})
}

func (o *ours) editColour() error {
	o.edits++
	config, err := o.site.config(fmt.Sprintf("#%06X", 0x204060+o.edits*7))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, "docs.json"), config, 0o644)
}

// editFile rewrites a file.
func editFile(name string, edit func(string) string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(edit(string(old))), 0o644)
}
