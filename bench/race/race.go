package race

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Options configures a comparison.
type Options struct {
	Out    io.Writer
	Binary string // this repository's program
	Self   string // the program that calls Press if started with -press
	Cache  string // folder for installed generators and all output; it should be on a disk
	// package.json, package-lock.json and .npmrc of the generators from npm, one folder for each
	Peers fs.FS
	Only  string // names of generators, comma-separated; "" = all, "none" = none
	Sizes []int  // pages of the sites built by all generators, ascending
	Alone int    // pages of the site that only we build; 0 = none
	// number of runs per row, of which the fastest counts; fewer if they take more than a minute together
	Rounds  int
	Limit   time.Duration // time limit of a process
	Profile string        // file for the profile of the last site's cold export; "" = it is only summarized
}

// race is one complete comparison.
type race struct {
	Options
	lab     *lab
	ours    ours
	peers   []peer
	folders map[string]string // where each generator is installed
	table   table
	seen    map[string]figure // rows needed by the summary and later groups
	faults  []error           // errors of generators; the others continue
}

// over is the row to which the ratios of a site refer.
const over = "ours, plain pages to a folder, cold"

// Run runs the comparison. It prints rows as they are measured, fast ones first.
func Run(ctx context.Context, o Options) error {
	r := &race{Options: o, table: table{out: o.Out}, folders: map[string]string{}, seen: map[string]figure{}}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	defer r.lab.close()
	for i, n := range r.Sizes {
		if err := r.everybody(ctx, n, i == 0, i == len(r.Sizes)-1); err != nil {
			return err
		}
	}
	if err := r.alone(ctx); err != nil {
		return err
	}
	for _, n := range r.Sizes {
		if err := r.slowPeers(ctx, n); err != nil {
			return err
		}
	}
	r.summary()
	return errors.Join(r.faults...)
}

// prepare installs the generators and builds the measuring programs. Every table lists generators that could not be
// installed.
func (r *race) prepare(ctx context.Context) (err error) {
	for _, name := range []*string{&r.Binary, &r.Cache} { // processes run in other folders
		if *name, err = filepath.Abs(*name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(r.Cache, 0o755); err != nil {
		return err
	}
	if r.peers, err = choose(r.Only); err != nil {
		return err
	}
	for _, p := range r.peers {
		if r.folders[p.name], err = p.install(ctx, r.Options); err != nil {
			r.folders[p.name] = ""
			r.faults = append(r.faults, fmt.Errorf("install %s: %w", p.name, err))
			r.seen[p.name] = figure{name: p.title, failure: "not installed: " + err.Error()}
		}
	}
	cached, err := hasCache(ctx, r.Binary)
	if err != nil {
		return err
	}
	if !cached {
		fmt.Fprintln(r.Out, "this program has no cache of builds: every export is a cold one")
	}
	if r.lab, err = openLab(ctx, r.Cache, r.Limit); err != nil {
		return err
	}
	r.ours = ours{lab: r.lab, binary: r.Binary, cached: cached, rounds: r.Rounds}
	return nil
}

// key returns the key of a figure that is needed later.
func key(pages int, what string) string { return fmt.Sprintf("%d %s", pages, what) }

// everybody runs our exports of one size and the fast generators.
func (r *race) everybody(ctx context.Context, n int, check, profile bool) error {
	plain, err := r.ours.open(site{pages: n})
	if err != nil {
		return err
	}
	defer plain.remove()
	r.table.head(thousands(n)+" pages", over)
	if err := r.plain(ctx, plain, n); err != nil {
		return err
	}
	if err := r.mdx(ctx, n, check); err != nil {
		return err
	}
	for _, p := range r.peers {
		if !p.slow {
			if err := r.peer(ctx, p, n); err != nil {
				return err
			}
		}
	}
	if profile {
		return r.profile(ctx, plain)
	}
	return nil
}

func (r *race) plain(ctx context.Context, o *ours, n int) error {
	show := func(f figure) {
		if r.table.base.wall == 0 {
			r.table.base = f
		}
		r.table.row(f)
	}
	cold, page, err := o.rows(ctx, "ours, plain to a folder", "dir", o.steps(), show)
	if err != nil {
		return err
	}
	r.seen[key(n, "plain")], r.seen[key(n, "page")] = cold, page
	if err := o.baselines(ctx, show); err != nil {
		return err
	}
	if err := o.cold("dir"); err != nil { // it uses disk space
		return err
	}
	r.seen[key(n, "archive")], r.seen[key(n, "archive page")],
		err = o.rows(ctx, "ours, plain to tar.gz", "tar.gz", o.steps()[:2], show)
	return err
}

func (r *race) mdx(ctx context.Context, n int, check bool) error {
	o, err := r.ours.open(site{pages: n, mdx: true})
	if err != nil {
		return err
	}
	defer o.remove()
	if r.seen[key(n, "mdx")], _, err = o.rows(ctx, "ours, MDX to a folder", "dir", nil, r.table.row); err != nil {
		return err
	}
	if err := o.cold("dir"); err != nil {
		return err
	}
	if _, _, err = o.rows(ctx, "ours, MDX to tar.gz", "tar.gz", o.steps(), r.table.row); err != nil || !check {
		return err
	}
	return o.sameAsCold(ctx, "tar.gz")
}

// alone runs our export of a site that is too large for the others. Its ratios refer to the largest site before it.
func (r *race) alone(ctx context.Context) error {
	if r.Alone == 0 {
		return nil
	}
	o, err := r.ours.open(site{pages: r.Alone})
	if err != nil {
		return err
	}
	defer o.remove()
	largest := 0
	if len(r.Sizes) > 0 {
		largest = r.Sizes[len(r.Sizes)-1]
	}
	r.table.head(thousands(r.Alone)+" pages", fmt.Sprintf("the same row with %s pages", thousands(largest)))
	_, _, err = o.rows(ctx, "ours, plain to tar.gz", "tar.gz", o.steps()[1:2], func(f figure) {
		r.table.base = r.seen[key(largest, "archive")]
		if f.name != r.table.base.name {
			r.table.base = r.seen[key(largest, "archive page")]
		}
		r.table.row(f)
	})
	return err
}

func (r *race) slowPeers(ctx context.Context, n int) error {
	headed := false
	for _, p := range r.peers {
		if !p.slow {
			continue
		}
		if !headed {
			r.table.head(thousands(n)+" pages, peers that take minutes", over)
			r.table.base = r.seen[key(n, "plain")]
			headed = true
		}
		if err := r.peer(ctx, p, n); err != nil {
			return err
		}
	}
	return nil
}

// peer runs one generator. It returns an error only if a run could not be measured at all.
func (r *race) peer(ctx context.Context, p peer, n int) error {
	if r.folders[p.name] == "" {
		r.table.row(r.seen[p.name])
		return nil
	}
	e, err := p.enter(r.lab, r.folders[p.name], site{pages: n}, r.Rounds)
	if err != nil {
		return err
	}
	defer e.leave()
	cold, page, err := e.race(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	for _, f := range []figure{cold, page} {
		if f.name != "" {
			r.table.row(f)
		}
		if f.failure != "" && !f.exhausted() {
			r.faults = append(r.faults, fmt.Errorf("%s, %s pages: %s", p.name, thousands(n), f.failure))
		}
	}
	r.seen[key(n, p.name)], r.seen[key(n, p.name+" page")] = cold, page
	return nil
}

// summary prints the ratio of each generator to ours.
func (r *race) summary() {
	if len(r.peers) == 0 || len(r.Sizes) == 0 {
		return
	}
	const format = "%-54s %12s %12s %12s %12s %12s\n"
	fmt.Fprintf(r.Out, "\n"+format, "multiples of our figures, cold to a folder", "plain", "than our MDX", "CPU", "memory",
		"one page")
	for _, n := range r.Sizes {
		plain := r.seen[key(n, "plain")]
		for _, p := range r.peers {
			name := fmt.Sprintf("%s, %s pages", p.title, thousands(n))
			f, page := r.seen[key(n, p.name)], r.seen[key(n, p.name+" page")]
			if f.wall == 0 {
				fmt.Fprintf(r.Out, "%-54s %s\n", name, r.seen[p.name].failure)
				continue
			}
			over := f.bound()
			fmt.Fprintf(r.Out, format, name, ratio(over, f.wall, plain.wall),
				ratio(over, f.wall, r.seen[key(n, "mdx")].wall), ratio(over, f.cpu, plain.cpu),
				ratio(over, float64(f.peak), float64(plain.peak)),
				ratio(page.bound(), page.wall, r.seen[key(n, "page")].wall))
		}
	}
}
