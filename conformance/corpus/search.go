package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/build/searchquality"
)

// questions contains queries that readers of some sites typed, in files named after the sites' folders.
//
//go:embed testdata/questions
var questions embed.FS

// searches measures the quality of each site's search and prints a table.
func searches(o options, sites []string) error {
	fmt.Println(searchquality.Header)
	var sum searchquality.Result
	for _, root := range sites {
		name := filepath.Base(root)
		r, err := measureSearch(root)
		if err != nil {
			return fmt.Errorf("measure search of %s: %w", name, err)
		}
		fmt.Println(r.Line(name))
		if o.misses { // without the held-out half of the questions, so that the ranking is not tuned for it
			for _, m := range append(r.Known.Misses, r.Tuning.Misses...) {
				fmt.Printf("  %-60s want %s at %d, first is %s\n", m.Text, m.Want, m.Rank, m.First)
			}
		}
		sum.Add(r)
	}
	fmt.Println(sum.Line("TOTAL"))
	return belowFloors(sum)
}

// floors are the minimum shares for all sites together, in percent. They are slightly below the last measured shares,
// so that a change that harms search on real sites is noticed.
var floors = []struct {
	name  string
	of    func(searchquality.Result) searchquality.Share
	floor float64
}{
	{"pages by title, first", func(r searchquality.Result) searchquality.Share { return r.Title }, 99},
	{"pages by sidebar title, first", func(r searchquality.Result) searchquality.Share { return r.Sidebar }, 98},
	{"pages by description, among three", func(r searchquality.Result) searchquality.Share { return r.Description }, 97.5},
	{"questions tuned with, first", func(r searchquality.Result) searchquality.Share { return r.Tuning.First }, 77},
	{"questions tuned with, among three", func(r searchquality.Result) searchquality.Share { return r.Tuning.Three }, 87},
	{"questions kept apart, first", func(r searchquality.Result) searchquality.Share { return r.Apart.First }, 75},
	{"questions kept apart, among three", func(r searchquality.Result) searchquality.Share { return r.Apart.Three }, 90},
}

// leastAsked is the minimum number of items for a meaningful share.
const leastAsked = 50

// belowFloors returns an error that names the shares below their floors.
func belowFloors(sum searchquality.Result) error {
	var errs []error
	for _, f := range floors {
		if share := f.of(sum); share.All >= leastAsked && share.Percent() < f.floor {
			errs = append(errs, fmt.Errorf("%s: %d of %d, want %g %%", f.name, share.Good, share.All, f.floor))
		}
	}
	return errors.Join(errs...)
}

func measureSearch(root string) (r searchquality.Result, err error) {
	ctx := context.Background()
	s, err := searchquality.Open(ctx, os.DirFS(root))
	if err != nil {
		return r, err
	}
	if r.Known, err = s.KnownItems(ctx); err != nil {
		return r, err
	}
	list, err := questionsAbout(filepath.Base(root))
	if err != nil || len(list) == 0 {
		return r, err
	}
	r.Tuning, r.Apart, err = s.Judge(ctx, list)
	return r, err
}

// questionsAbout returns the questions about a site. Those in the folder "tuned" were written to tune the ranking, so
// none of them is held out.
func questionsAbout(site string) (out []searchquality.Question, err error) {
	for _, folder := range []string{"", "tuned"} {
		text, err := fs.ReadFile(questions, path.Join("testdata/questions", folder, site+".txt"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list, err := searchquality.ParseQuestions(string(text))
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			q.Tuning = folder != ""
			out = append(out, q)
		}
	}
	return out, nil
}
