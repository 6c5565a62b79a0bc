// Command bench measures the platform and prints each figure beside a lower bound measured in the same run: a bare net/http server that
// does nothing but send the same bytes, or a bare Markdown library that reads the same text. bench/README.md says how to read it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
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
}

// part is a group of figures.
type part struct {
	name string
	run  func(context.Context, options) error
}

// parts are in the order in which they run.
var parts = []part{{"engine", engine}, {"script", script}, {"site", wholeSite}, {"dev", dev}, {"memory", memory}, {"search", search}, {"server", server}}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "bin/lectern", "the program to measure (server)")
	flag.DurationVar(&o.length, "time", 5*time.Second, "how long each load lasts (server)")
	flag.IntVar(&o.starts, "starts", 7, "how many starts the start-up figure is the median of (server)")
	flag.IntVar(&o.connections, "connections", 16, "callers at once (server)")
	flag.StringVar(&o.parts, "parts", "", "which figures, comma-separated: "+partNames()+"; \"\" = all")
	flag.IntVar(&o.pages, "pages", 400, "pages of a round (engine), of the small site (site, memory: times 2.5)")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds that a figure is the quickest of (engine, script, site)")
	flag.IntVar(&o.large, "large", 10_000, "pages of the large site (memory)")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the chosen parts to this `file`; with -weigh, a heap profile")
	weigh := flag.String("weigh", "", "build this docs `folder` and print what memory it took (used by the program itself)")
	flag.Parse()
	var err error
	if *weigh != "" {
		err = weighBuild(context.Background(), *weigh, o.profile)
	} else {
		err = run(context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
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
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	all := len(wanted) == 0
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
		return fmt.Errorf("there is no part %q, only %s", name, partNames())
	}
	return stop()
}
