package build

import (
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// entry is the data kept about a page after its HTML is written. It must stay small, because there is one for each page
// of the site.
type entry struct {
	page *site.Page
	lead string // at most 300 characters; "" for a written page that has a description

	anchors     output.Piece // spooled ids and links
	hasRefs     bool         // the page links to ids
	moreAnchors bool         // client components may add ids that are not listed

	twin     spooledTwin // spooled Markdown form, for the lists
	modified int64       // in seconds since 1970; 0 = unknown
}

// when returns modified as a time; zero = unknown.
func (e *entry) when() time.Time {
	if e.modified == 0 {
		return time.Time{}
	}
	return time.Unix(e.modified, 0).UTC()
}

// unixSeconds converts a time for an entry; zero stays 0.
func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// entries are the pages that were written, in page order. pageWriter fills them; the stages after the pages read them.
type entries []entry

// find returns the entry of a written page, or nil if there is none.
func (e entries) find(path string) *entry {
	if i, ok := e.index(path); ok {
		return &e[i]
	}
	return nil
}

func (e entries) index(path string) (i int, ok bool) {
	return slices.BinarySearchFunc(e, path, func(e entry, p string) int { return strings.Compare(e.page.Path, p) })
}

// complete lists the written pages, except for those whose part of an API description is missing.
func (e entries) complete() []Written {
	out := make([]Written, 0, len(e))
	for _, one := range e {
		w := Written{Path: one.page.Path, Made: one.page.File == ""}
		if ref := one.page.API; ref != nil {
			if ref.Missing {
				continue
			}
			w.Spec = ref.Spec
		}
		out = append(out, w)
	}
	return out
}
