package sitediff

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// compareAPIs reports what clients of a published API would notice: operations, parameters and fields that are gone, and
// values that are required now.
func (c *comparison) compareAPIs() {
	same := map[string]bool{} // descriptions whose files did not change
	done := map[*openapi.Operation]bool{}
	for _, path := range slices.Sorted(maps.Keys(c.base.pages)) {
		ref := c.base.pages[path].API
		if ref == nil || ref.Spec == "" || ref.Kind != site.APIOperation && ref.Kind != site.APIWebhook {
			continue
		}
		if _, known := same[ref.Spec]; !known {
			same[ref.Spec] = c.sameSpec(ref.Spec)
		}
		before := c.base.specs.Operation(ref.Spec, ref.Method, ref.Path)
		if same[ref.Spec] || before == nil || done[before] || c.head.specs.Failed(ref.Spec) {
			continue
		}
		done[before] = true
		c.compareOperation(ref.Spec, before)
	}
}

// sameSpec reports whether all files of a description are the same as before.
func (c *comparison) sameSpec(name string) bool {
	files := c.base.specs.Files(name)
	if !slices.Equal(files, c.head.specs.Files(name)) {
		return false
	}
	for _, file := range files {
		before, err := fs.ReadFile(c.base.src, file)
		if err != nil {
			return false
		}
		after, err := fs.ReadFile(c.head.src, file)
		if err != nil || !bytes.Equal(before, after) {
			return false
		}
	}
	return true
}

func (c *comparison) compareOperation(spec string, before *openapi.Operation) {
	after := c.head.specs.Operation("", before.Method, before.Path, spec)
	if after == nil {
		pos := diag.Pos{}
		if c.head.specs.Spec(spec) != nil {
			pos.File = spec
		}
		c.result.Findings.Warnf(pos, "api-operation-removed", "The operation %s was published and is gone.", before.Key())
		c.result.Findings.Hint("Clients still call it: mark it as deprecated first.")
		return
	}
	d := apiDiff{op: after, list: &c.result.Findings}
	was, is := before.Detail(), after.Detail()
	d.parameters(was.Parameters, is.Parameters)
	d.request(was.Body, is.Body)
	d.responses(was.Responses, is.Responses)
}

// apiDiff compares the parts of an operation. op is the operation now.
type apiDiff struct {
	op   *openapi.Operation
	list *diag.List
}

func (d apiDiff) warn(pos diag.Pos, code, format string, args ...any) {
	if pos == (diag.Pos{}) {
		pos = d.op.Pos()
	}
	d.list.Warnf(pos, code, "%s: "+format, append([]any{d.op.Key()}, args...)...)
}

func (d apiDiff) parameters(before, after []openapi.Parameter) {
	find := func(list []openapi.Parameter, p openapi.Parameter) (openapi.Parameter, bool) {
		// the names of values in a path are free
		i := slices.IndexFunc(list, func(q openapi.Parameter) bool { return q.In == p.In && q.Name == p.Name })
		if i < 0 {
			return openapi.Parameter{}, false
		}
		return list[i], true
	}
	for _, p := range before {
		if _, ok := find(after, p); !ok && p.In != "path" {
			d.warn(diag.Pos{}, "api-parameter-removed", "the %s parameter %q is gone.", p.In, p.Name)
		}
	}
	for _, p := range after {
		if was, ok := find(before, p); p.Required && p.In != "path" && (!ok || !was.Required) {
			d.warn(p.Schema.Pos(), "api-required-added", "the %s parameter %q is required now.", p.In, p.Name)
		}
	}
}

func (d apiDiff) request(before, after *openapi.Body) {
	switch {
	case after == nil:
		return // the fields were accepted, and are ignored now
	case before == nil || !before.Required && after.Required:
		if after.Required {
			d.warn(diag.Pos{}, "api-required-added", "a request body is required now.")
		}
	}
	was, is := fieldsOf(content(before)), fieldsOf(after.Content)
	for _, name := range slices.Sorted(maps.Keys(was.fields)) {
		if _, ok := is.fields[name]; !ok && !is.hides(name) && !was.fields[name].readOnly {
			d.warn(diag.Pos{}, "api-parameter-removed", "the request field %q is gone.", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is.fields)) {
		f := is.fields[name]
		old, known := was.fields[name]
		if f.required && !f.readOnly && !was.hides(name) && (known && !old.required || !known && was.has(parent(name))) {
			d.warn(f.pos, "api-required-added", "the request field %q is required now.", name)
		}
	}
}

func (d apiDiff) responses(before, after []openapi.Response) {
	for _, r := range before {
		i := slices.IndexFunc(after, func(q openapi.Response) bool { return q.Status == r.Status })
		if i < 0 {
			d.warn(diag.Pos{}, "api-response-removed", "the response %s is gone.", r.Status)
			continue
		}
		was, is := fieldsOf(r.Content), fieldsOf(after[i].Content)
		for _, name := range slices.Sorted(maps.Keys(was.fields)) {
			if _, ok := is.fields[name]; !ok && !is.hides(name) && !was.fields[name].writeOnly && is.has(parent(name)) {
				d.warn(diag.Pos{}, "api-response-removed", "the field %q of the response %s is gone.", name, r.Status)
			}
		}
	}
}

func content(b *openapi.Body) []openapi.Media {
	if b == nil {
		return nil
	}
	return b.Content
}

// field is a property somewhere in a body.
type field struct {
	required, readOnly, writeOnly bool
	pos                           diag.Pos
}

// fields are the properties of a body by their path: "items[].name". Where a body has alternatives, they are those of
// all of them.
type fields struct {
	fields map[string]field
	ends   map[string]bool // paths below which a description recurs, or a limit ended the view
}

func fieldsOf(media []openapi.Media) fields {
	f := fields{fields: map[string]field{}, ends: map[string]bool{}}
	for _, m := range media {
		f.add("", m.Schema, false)
	}
	return f
}

// add enters the properties of a schema. optional is set below alternatives: not every value has what one of them
// requires.
func (f fields) add(at string, s *openapi.Schema, optional bool) {
	if s == nil {
		return
	}
	if s.Recursive || s.Cut || s.Missing {
		f.ends[at] = true
		return
	}
	for _, p := range s.Properties {
		if p.Pattern || p.Schema == nil {
			continue
		}
		name := strings.TrimPrefix(at+"."+p.Name, ".")
		f.fields[name] = field{required: p.Required && !optional, readOnly: p.Schema.ReadOnly,
			writeOnly: p.Schema.WriteOnly, pos: p.Schema.Pos()}
		f.add(name, p.Schema, optional)
	}
	f.add(at+"[]", s.Items, optional)
	f.add(at+"{}", s.Additional, optional)
	for _, o := range s.Options {
		f.add(at, o, true)
	}
}

// hides reports whether a field may be there without being listed.
func (f fields) hides(name string) bool {
	for end := range f.ends {
		if end == "" || strings.HasPrefix(name, end) {
			return true
		}
	}
	return false
}

// has reports whether a path is listed; the body itself always is.
func (f fields) has(name string) bool {
	name = strings.TrimRight(name, "[]{}")
	_, ok := f.fields[name]
	return ok || name == ""
}

// parent returns the path of the object that a field belongs to.
func parent(name string) string {
	return name[:max(strings.LastIndexByte(name, '.'), 0)]
}
