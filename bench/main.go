// Command bench measures the platform and prints each figure next to a lower bound measured in the same run: a bare
// net/http server that only sends the same bytes, or a plain Markdown library that reads the same text.
// bench/README.md explains how to read the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/bench/race"
)

// options are the flags.
type options struct {
	binary      string
	length      time.Duration
	starts      int
	connections int
	parts       string
	pages       int
	rounds      int
	large       int
	profile     string
	race        raceFlags
	projects    string
}

// part is a group of measurements.
type part struct {
	name string
	run  func(context.Context, options) error
}

// parts are listed in the order in which they run.
var parts = []part{{"engine", engine}, {"script", script}, {"site", wholeSite}, {"dev", dev}, {"memory", memory},
	{"search", search}, {"searchsites", searchSites}, {"assistant", assistantPart}, {"server", server}, {"serving", serving}, {"pollers", pollers},
	{"analytics", analyticsPart}, {"growth", growth}, {"export", export}, {"sites", sites}}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "bin/lectern", "the program to measure (server, export)")
	flag.DurationVar(&o.length, "time", 5*time.Second,
		"how long each load lasts (server; serving: a fifth of it, three times)")
	flag.IntVar(&o.starts, "starts", 7, "number of starts, of which the median is reported (server)")
	flag.IntVar(&o.connections, "connections", 16, "concurrent callers (server)")
	flag.StringVar(&o.parts, "parts", "", "parts to run, comma-separated: "+partNames()+"; \"\" = all")
	flag.IntVar(&o.pages, "pages", 400, "number of pages in a round (engine) and in the small site (site, memory: times 2.5)")
	flag.IntVar(&o.rounds, "rounds", 5, "number of rounds, of which the quickest is reported (engine, script, site, export)")
	flag.IntVar(&o.large, "large", 10_000, "pages of the large site (memory, search, assistant)")
	flag.StringVar(&o.profile, "profile", "",
		"write a CPU profile of the chosen parts to this `file`; with -weigh, a heap profile")
	flag.StringVar(&o.projects, "projects", "1,10,100,1000,10000",
		"numbers of projects to fill a database with, ascending (growth)")
	weigh := flag.String("weigh", "",
		"build this docs `folder` and print how much memory that took (used by the program itself)")
	press := flag.String("press", "",
		"export this docs `folder` to -out, with -cache and -profile (used by the program itself)")
	out := flag.String("out", "", "`file` for -press")
	flag.StringVar(&o.race.sizes, "sizes", "1000,10000", "numbers of pages of the sites that peers also build (export)")
	flag.IntVar(&o.race.alone, "alone", 100_000, "number of pages of the site that only we build, 0 = none (export)")
	flag.StringVar(&o.race.peers, "peers", "",
		"hugo, starlight, vitepress, comma-separated, or none; \"\" = all (export); none: without Pagefind (search)")
	flag.DurationVar(&o.race.limit, "limit", 15*time.Minute,
		"stop a build that takes longer and print a lower bound (export); stop Pagefind (search)")
	flag.StringVar(&o.race.cache, "cache", "",
		"`folder` where peers are installed and sites are written; \"\" = one in the user's cache directory (export)")
	flag.StringVar(&o.race.sites, "sites", "",
		"`folder` that is a docs folder or has some below it: the ten largest are exported (sites), those directly in it searched (searchsites)")
	limits := flag.String("limits", "",
		"check: fail if a figure is more than a fifth above its value in limits.json; print: print the current values in the format of that file")
	flag.Parse()
	// temporary files and processes are removed on a signal too
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case *weigh != "":
		err = weighBuild(ctx, *weigh, o.profile)
	case *press != "":
		err = race.Press(ctx, *press, *out, o.race.cache, o.profile)
	case *limits != "":
		err = checkLimits(ctx, o, *limits)
	default:
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func partNames() string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
	}
	return strings.Join(names, ", ")
}

func run(ctx context.Context, o options) error {
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(o.parts, ",") {
		if name = strings.TrimSpace(name); name != "" {
			wanted[name] = true
		}
	}
	all := len(wanted) == 0
	if len(wanted) == 1 && wanted["export"] { // it measures other processes, and profiles one of them
		o.race.profile, o.profile = o.profile, ""
	}
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if !all && !wanted[p.name] {
			continue
		}
		delete(wanted, p.name)
		if err := p.run(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	for name := range wanted {
		return fmt.Errorf("unknown part %q, expected one of %s", name, partNames())
	}
	return stop()
}
