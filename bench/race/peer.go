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
	name  string // as -peers spells it
	title string // in the table: version, and what it does not do or does beside pages
	slow  bool   // it takes minutes: it runs after everything that does not
	// install makes sure that the program is in a folder below the cache and returns that folder.
	install func(ctx context.Context, o Options) (string, error)
	content string            // folder of the project that takes the pages
	files   map[string]string // the rest of the project
	made    []string          // folders that a build leaves: output and caches
	out     string            // the output, of those
	command func(installed string) []string
	env     []string
	inside  bool // the project must lie below the installed folder, whose packages it uses
}

// peers are in the order in which they run.
func peers() []peer { return []peer{hugo(), starlight(), vitepress()} }

// choose returns the peers that a list names; "" = all, "none" = none.
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
			return nil, fmt.Errorf("there is no peer %q", name)
		}
		out = append(out, all[at])
	}
	return out, nil
}

// entrant is a peer with its project around the pages of one site.
type entrant struct {
	peer
	lab       *lab
	installed string
	site      site
	dir       string // project
	rounds    int
}

// enter writes the pages and lays out the project around them.
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
		return nil, fmt.Errorf("lay out %s: %w", p.name, err)
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

// edit adds a sentence to the page that is edited in our row, too.
func (e *entrant) edit() error {
	return editFile(filepath.Join(e.dir, e.content, filepath.FromSlash(e.site.file(e.site.pages/2))),
		func(page string) string {
			return page + "The edition of this page has changed.\n\n"
		})
}

// race measures a cold build and, when one did not take long, another after a page changed, with all that the first
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
	if err != nil && !f.least { // at the limit there may be no output yet
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
	matching int // files with the ending that was asked for
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
