package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lectern-docs/lectern/internal/site/docsjson"
)

// keyTally counts the sites whose configuration file has a key, for each key.
type keyTally struct {
	sites map[string]int
	uses  map[string]docsjson.Use
}

func newKeyTally() *keyTally {
	return &keyTally{sites: map[string]int{}, uses: map[string]docsjson.Use{}}
}

// add counts a site's keys.
func (k *keyTally) add(root string) {
	for _, u := range docsjson.Survey(os.DirFS(root)) {
		k.sites[u.Path]++
		k.uses[u.Path] = u
	}
}

// print lists every key that occurs, with the number of sites and its status, then the totals.
func (k *keyTally) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	totals := map[docsjson.Status]int{}
	fmt.Fprintln(out, "sites\tkey\tstatus")
	for _, path := range slices.Sorted(maps.Keys(k.uses)) {
		u := k.uses[path]
		totals[u.Status]++
		status := string(u.Status)
		if u.Reason != "" {
			status += ": " + u.Reason
		}
		fmt.Fprintf(out, "%d\t%s\t%s\n", k.sites[path], path, status)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print keys: %w", err)
	}
	var sums []string
	for _, s := range []docsjson.Status{docsjson.Honoured, docsjson.Inapplicable, docsjson.Unknown} {
		sums = append(sums, fmt.Sprintf("%d %s", totals[s], s))
	}
	_, err := fmt.Fprintf(w, "%d keys: %s\n", len(k.uses), strings.Join(sums, ", "))
	return err
}
