package race

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// peer is another generator.
type peer struct {
	name  string // name for -peers
	title string // name in the table: version, and differences in what it does
	slow  bool   // whether it takes minutes: slow ones run last
	// install installs the program into a folder below the cache, if needed, and returns that folder.
	install func(ctx context.Context, o Options) (string, error)
	content string            // folder of the project that contains the pages
	files   map[string]string // other files of the project
	made    []string          // folders created by a build: output and caches
	out     string            // the output folder among them
	command func(installed string) []string
	env     []string
	inside  bool // the project must be below the installed folder, because it uses its packages
}

// peers are listed in the order in which they run.
func peers() []peer { return []peer{hugo(), starlight(), vitepress()} }

// choose returns the generators in a list; "" = all, "none" = none.
func choose(list string) ([]peer, error) {
	all := peers()
	switch list {
	case "":
		return all, nil
	case "none":
		return nil, nil
	}
	var out []peer
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(all, func(p peer) bool { return p.name == strings.TrimSpace(name) })
		if at < 0 {
			return nil, fmt.Errorf("unknown generator %q", name)
		}
		out = append(out, all[at])
	}
	return out, nil
}

// entrant is a generator with its project for one site.
type entrant struct {
	peer
	lab       *lab
	installed string
	site      site
	dir       string // project folder
	rounds    int
}

// enter creates the project and writes the pages into it.
func (p peer) enter(l *lab, installed string, s site, rounds int) (*entrant, error) {
	e := &entrant{peer: p, lab: l, installed: installed, site: s, dir: l.path(p.name), rounds: rounds}
	if p.inside {
		var err error
		if e.dir, err = os.MkdirTemp(installed, "race-"); err != nil {
			return nil, err
		}
	}
	err := s.write(filepath.Join(e.dir, p.content))
	for name, text := range p.files {
		name = filepath.Join(e.dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
	}
	if err != nil {
		e.leave()
		return nil, fmt.Errorf("create project for %s: %w", p.name, err)
	}
	return e, nil
}

func (e *entrant) leave() { _ = os.RemoveAll(e.dir) } // a temporary folder

func (e *entrant) cold() error {
	var err error
	for _, name := range e.made {
		err = errors.Join(err, os.RemoveAll(filepath.Join(e.dir, name)))
	}
	return err
}

// edit adds a sentence to the same page as in our row.
func (e *entrant) edit() error {
	return editFile(filepath.Join(e.dir, e.content, filepath.FromSlash(e.site.file(e.site.pages/2))),
		func(page string) string {
			return page + "The edition of this page has changed.\n\n"
		})
}

// race measures a cold build and, if that was fast, another one after a page changed, with everything that the first
// left behind.
func (e *entrant) race(ctx context.Context) (cold, page figure, err error) {
	cold, err = e.measure(ctx, e.title+": cold", e.cold)
	if err != nil || cold.failure != "" || cold.least {
		return cold, page, err
	}
	if cold.wall*4 > e.lab.limit.Seconds() {
		return cold, page, nil
	}
	page, err = e.measure(ctx, e.title+": one page's text changed", e.edit)
	return cold, page, err
}

func (e *entrant) measure(ctx context.Context, name string, prepare func() error) (figure, error) {
	var runs []*took
	for spent := 0.0; len(runs) < e.rounds && spent < long; {
		if err := prepare(); err != nil {
			return figure{}, err
		}
		t, err := e.lab.run(ctx, command{dir: e.dir, args: e.command(e.installed), env: e.env})
		if err != nil {
			return figure{}, err
		}
		if why := e.lab.why(t); why != "" {
			f := best(name, []*took{t})
			f.failure = why
			return f, nil
		}
		runs = append(runs, t)
		spent += t.Wall
	}
	f := best(name, runs)
	size, err := measureOutput(filepath.Join(e.dir, e.out), ".html")
	if err != nil && !f.least { // at the time limit there may be no output yet
		return f, err
	}
	f.files, f.bytes = size.files, size.bytes
	if !f.least && size.matching < e.site.pages {
		f.failure = fmt.Sprintf("it wrote %d of %d pages", size.matching, e.site.pages)
	}
	return f, nil
}

// outputSize is the size of a folder or file.
type outputSize struct {
	files    int
	bytes    int64
	matching int // files with the requested extension
}

func measureOutput(dir, ending string) (outputSize, error) {
	var out outputSize
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out.files++
		out.bytes += info.Size()
		if strings.HasSuffix(name, ending) {
			out.matching++
		}
		return nil
	})
	return out, err
}
