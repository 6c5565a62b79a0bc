package openapi

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
)

// Set holds the descriptions of a site, each parsed once.
type Set struct {
	specs  []*Spec          // sorted by name
	byName map[string]*Spec // includes shortened names
	failed map[string]bool  // names of descriptions that could not be loaded
}

// maxSpecs limits the number of descriptions per site.
const maxSpecs = 500

// LoadSet reads the named descriptions with the given number of goroutines. Names are paths in the docs folder, or
// URLs. The list reports descriptions that cannot be read; the Set does not contain them.
func LoadSet(ctx context.Context, l *Loader, names []string, workers int) (*Set, diag.List) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	var list diag.List
	if len(names) > maxSpecs {
		list.Warnf(diag.Pos{File: names[maxSpecs]}, "too-many-specs", "Only the first %d API descriptions are used.",
			maxSpecs)
		names = names[:maxSpecs]
	}
	specs, lists := make([]*Spec, len(names)), make([]diag.List, len(names))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(workers, len(names))) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				specs[i], lists[i] = l.Load(ctx, names[i])
			}
		})
	}
	wg.Wait()
	set := &Set{byName: map[string]*Spec{}, failed: map[string]bool{}}
	for i, s := range specs {
		if s == nil {
			set.failed[names[i]] = true
			continue
		}
		set.specs = append(set.specs, s)
		set.byName[names[i]] = s
	}
	set.shorten()
	return set, append(list, slices.Concat(lists...)...)
}

// shorten adds each description under its names without extension and without folder. Longer names take precedence over
// shorter ones, and earlier descriptions over later ones.
func (s *Set) shorten() {
	for _, short := range []func(string) string{stem, path.Base, func(n string) string { return stem(path.Base(n)) }} {
		for _, spec := range s.specs {
			if name := short(spec.Name); s.byName[name] == nil {
				s.byName[name] = spec
			}
		}
	}
}

// Failed reports whether a description was requested but could not be loaded.
func (s *Set) Failed(name string) bool { return s != nil && s.failed[FileName(name)] }

// Unfetched returns the first URL, in alphabetical order, whose description could not be fetched, or "".
func (s *Set) Unfetched() (first string) {
	if s == nil {
		return ""
	}
	for name, failed := range s.failed {
		if failed && Remote(name) && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

// FileName converts a description's name from the form that authors write ("/openapi.json", "./a/b.yaml") to the form
// that the Set uses. URLs are unchanged.
func FileName(written string) string {
	if written = strings.TrimSpace(written); Remote(written) || written == "" {
		return written
	}
	return strings.TrimPrefix(path.Clean("/"+written), "/")
}

// Spec finds a description by the name that authors write: a path with or without extension, or only a file name. It
// returns nil if there is none.
func (s *Set) Spec(written string) *Spec {
	if s == nil {
		return nil
	}
	return s.byName[FileName(written)]
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// Operation finds an operation. If file is "", it searches the descriptions in prefer first, then all others, sorted by
// name.
func (s *Set) Operation(file, method, urlPath string, prefer ...string) *Operation {
	for _, spec := range s.order(file, prefer) {
		if op := spec.Operation(method, urlPath); op != nil {
			return op
		}
	}
	return nil
}

// Schema returns the description that contains a schema with this name, or nil.
func (s *Set) Schema(file, name string, prefer ...string) *Spec {
	for _, spec := range s.order(file, prefer) {
		if spec.schemas().Get(name) != nil {
			return spec
		}
	}
	return nil
}

// Channel returns the channel with this name, or nil.
func (s *Set) Channel(file, name string, prefer ...string) *Channel {
	for _, spec := range s.order(file, prefer) {
		if c := spec.findChannel(name); c != nil {
			return c
		}
	}
	return nil
}

func (s *Set) order(file string, prefer []string) (out []*Spec) {
	if s == nil {
		return nil
	}
	if file != "" {
		if spec := s.Spec(file); spec != nil {
			out = append(out, spec)
		}
		return out
	}
	for _, name := range prefer {
		if spec := s.Spec(name); spec != nil {
			out = append(out, spec)
		}
	}
	return append(out, s.specs...)
}

// Nearest returns the operation (as "GET /path") with the most similar spelling, or "". It examines every operation in
// the set.
func (s *Set) Nearest(file, method, urlPath string) string {
	want, best, least := shape(urlPath), "", didyoumean.Reach(urlPath)+1
	for _, spec := range s.order(file, nil) {
		for _, op := range spec.Operations {
			d := didyoumean.Distance(shape(op.Path), want, least)
			if op.Method != strings.ToUpper(method) {
				d++
			}
			if d < least {
				best, least = op.Key(), d
			}
		}
	}
	return best
}
