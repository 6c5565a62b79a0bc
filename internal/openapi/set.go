package openapi

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Set is the descriptions of a site, each parsed once.
type Set struct {
	specs  []*Spec // ordered by name
	byName map[string]*Spec
	failed map[string]bool // names that could not be loaded
}

// maxSpecs bounds the descriptions of one site.
const maxSpecs = 500

// LoadSet reads the named descriptions with this many goroutines. Names are paths in the docs folder, or addresses; what cannot be
// read is told in the list and is missing from the Set.
func LoadSet(ctx context.Context, l *Loader, names []string, workers int) (*Set, diag.List) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	var list diag.List
	if len(names) > maxSpecs {
		list.Warnf(diag.Pos{File: names[maxSpecs]}, "too-many-specs", "Only the first %d API descriptions are used.", maxSpecs)
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
	return set, append(list, slices.Concat(lists...)...)
}

// Len is the number of descriptions. A nil Set is empty.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.specs)
}

// Failed tells names that were asked for and could not be loaded.
func (s *Set) Failed(name string) bool { return s != nil && s.failed[FileName(name)] }

// FileName brings a description's name as authors write it ("/openapi.json", "./a/b.yaml") into the form of the Set. Addresses stay.
func FileName(written string) string {
	if written = strings.TrimSpace(written); Remote(written) || written == "" {
		return written
	}
	return strings.TrimPrefix(path.Clean("/"+written), "/")
}

// Spec finds a description by its name as authors write it: a path, also without its extension, or the file's name alone. nil = none.
func (s *Set) Spec(written string) *Spec {
	if s == nil {
		return nil
	}
	name := FileName(written)
	if spec := s.byName[name]; spec != nil {
		return spec
	}
	for _, by := range []func(string) string{stem, path.Base, func(n string) string { return stem(path.Base(n)) }} {
		for _, spec := range s.specs {
			if by(spec.Name) == name {
				return spec
			}
		}
	}
	return nil
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// Operation finds an operation. With file "" the descriptions named in prefer are asked first, then all in the order of their names.
func (s *Set) Operation(file, method, urlPath string, prefer ...string) *Operation {
	for _, spec := range s.order(file, prefer) {
		if op := spec.Find(method, urlPath); op != nil {
			return op
		}
	}
	return nil
}

// Schema finds the description that has a schema of this name, or nil.
func (s *Set) Schema(file, name string, prefer ...string) *Spec {
	for _, spec := range s.order(file, prefer) {
		if spec.schemas().Get(name) != nil {
			return spec
		}
	}
	return nil
}

// Channel finds a channel, or nil.
func (s *Set) Channel(file, name string, prefer ...string) *Channel {
	for _, spec := range s.order(file, prefer) {
		if c := spec.FindChannel(name); c != nil {
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

// Nearest is the operation (as "GET /path") that is spelt most like what was not found, or "".
func (s *Set) Nearest(file, method, urlPath string) string {
	best, score := "", len(urlPath)/3+2
	for _, spec := range s.order(file, nil) {
		for _, op := range spec.Operations {
			d := distance(shape(op.Path), shape(urlPath), score)
			if op.Method != strings.ToUpper(method) {
				d++
			}
			if d < score {
				best, score = op.Key(), d
			}
		}
	}
	return best
}

// distance is how many letters differ, at most limit.
func distance(a, b string, limit int) int {
	if len(a) > 200 || len(b) > 200 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
