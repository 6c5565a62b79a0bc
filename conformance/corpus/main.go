package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

type options struct {
	sites, oracle, keep, only string
	sample, show              int
	all, smart, findings      bool
	keys, misses, search      bool
	browser                   string
}

func main() {
	var o options
	flag.StringVar(&o.sites, "sites", "../shared/corpus", "folder of site folders")
	flag.StringVar(&o.oracle, "oracle", "", "folder with compare.mjs and its node_modules; \"\" = build only")
	flag.StringVar(&o.keep, "keep", "", "folder to keep the built sites and the oracle's JSON in")
	flag.StringVar(&o.only, "only", "", "only sites whose name holds this text")
	flag.IntVar(&o.sample, "sample", 0, "compare this many pages of each site; 0 = all that navigation names")
	flag.IntVar(&o.show, "show", 0, "print this many of the worst pages of each site")
	flag.BoolVar(&o.all, "all", false, "compare pages outside navigation too")
	flag.BoolVar(&o.smart, "smart", false, "demand typographic quotes, dashes and ellipses")
	flag.BoolVar(&o.findings, "findings", false, "print every error")
	flag.BoolVar(&o.keys, "keys", false, "only list the keys of the site files, build nothing")
	flag.BoolVar(&o.search, "search", false, "only measure how well each site's search finds its pages")
	flag.StringVar(&o.browser, "browser", "", "Chromium that looks at pages of the built sites; \"\" = none")
	flag.BoolVar(&o.misses, "misses", false,
		"print the selectors of authors' style sheets that meet nothing, and why, and unreadable texts; "+
			"with -search, what was not found")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	sites, err := find(o)
	if err != nil {
		return err
	}
	if o.search {
		return searches(o, sites)
	}
	if o.keep == "" {
		dir, err := os.MkdirTemp("", "corpus-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		o.keep = dir
	}
	keys := newKeyTally()
	if !o.keys {
		fmt.Println(header)
	}
	looks := newLooker(o.browser)
	if looks != nil {
		defer looks.stop()
	}
	var sum tally
	for _, root := range sites {
		keys.add(root)
		if o.keys {
			continue
		}
		t, text, err := site(o, root)
		if err != nil {
			return err
		}
		var lines []string
		dir := filepath.Join(o.keep, filepath.Base(root))
		if t.look, lines, err = looks.site(root, dir); err != nil {
			return err
		}
		fmt.Println(t.line(filepath.Base(root)))
		fmt.Print(text)
		for _, line := range lines {
			if o.misses {
				fmt.Println(" ", line)
			}
		}
		sum.add(t)
	}
	if !o.keys {
		fmt.Println(sum.line("TOTAL"))
		fmt.Println()
	}
	return keys.print(os.Stdout)
}

// find lists the sites' folders.
func find(o options) (out []string, err error) {
	files, err := filepath.Glob(filepath.Join(o.sites, "*", "*.json"))
	for _, config := range files {
		if base := filepath.Base(config); (base == "docs.json" || base == "mint.json") &&
			strings.Contains(config, o.only) {
			out = append(out, filepath.Dir(config))
		}
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no site in %s", o.sites)
	}
	return out, err
}

// site builds one site and compares it with the oracle. text is printed below the site's line.
func site(o options, root string) (t tally, text string, err error) {
	out := filepath.Join(o.keep, filepath.Base(root))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return t, "", err
	}
	dir, err := os.OpenRoot(out)
	if err != nil {
		return t, "", err
	}
	defer func() { _ = dir.Close() }() // all files have been written
	report, err := build.Build(context.Background(), os.DirFS(root), build.Options{Links: link.Relative},
		output.NewDir(dir))
	if err != nil {
		return t, "", err
	}
	t.built, t.failed = report.Pages, report.Failed
	for _, d := range report.Diagnostics {
		t.finding(d)
		if d.Severity == diag.Error && o.findings {
			text += "  " + d.String() + "\n"
		}
	}
	if o.oracle == "" {
		return t, text, nil
	}
	said, err := compare(o, root, out, &t)
	return t, text + said, err
}

// compare runs the oracle and adds its figures.
func compare(o options, root, out string, t *tally) (string, error) {
	figures := out + ".json"
	args := []string{filepath.Join(o.oracle, "compare.mjs"), root, out, "--json", figures, "--show",
		strconv.Itoa(o.show)}
	if o.sample > 0 {
		args = append(args, "--sample", strconv.Itoa(o.sample))
	}
	for name, on := range map[string]bool{"--all": o.all, "--smart": o.smart} {
		if on {
			args = append(args, name)
		}
	}
	cmd := exec.Command("node", args...)
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run the oracle: %w", err)
	}
	data, err := os.ReadFile(figures)
	if err != nil {
		return "", fmt.Errorf("read the oracle's figures: %w", err)
	}
	var got struct{ Totals totals }
	if err := json.Unmarshal(data, &got); err != nil {
		return "", fmt.Errorf("read the oracle's figures: %w", err)
	}
	t.totals = got.Totals
	if o.show == 0 {
		return "", nil
	}
	lines := strings.SplitN(string(said), "\n", 4)
	return "  " + strings.ReplaceAll(strings.TrimSpace(lines[len(lines)-1]), "\n", "\n  ") + "\n", nil
}
