package apichange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Kind groups changes for readers.
type Kind int

// The kinds, in the order of a changelog.
const (
	Added Kind = iota
	Changed
	Deprecated
	Removed
)

// Change is one difference.
type Change struct {
	Kind      Kind
	Code      string             // code of the finding that the checks report; "" = not reported
	Breaking  bool               // clients that worked before may fail now
	Operation *openapi.Operation // the current operation, or the old one if it was removed
	Text      string             // "the query parameter \"sort\" is gone"; "" if the change concerns the whole operation
	Pos       diag.Pos
}

// Operations compares an operation with its earlier state.
func Operations(before, after *openapi.Operation) []Change {
	d := differ{op: after}
	if after.Deprecated && !before.Deprecated {
		d.add(Deprecated, "", diag.Pos{}, "")
	}
	was, is := before.Detail(), after.Detail()
	d.parameters(was.Parameters, is.Parameters)
	d.request(was.Body, is.Body)
	d.responses(was.Responses, is.Responses)
	return d.list
}

// Specs compares a whole description with its earlier state: operations first, then webhooks.
func Specs(before, after *openapi.Spec) (list []Change) {
	was, is := slices.Concat(before.Operations, before.Webhooks), slices.Concat(after.Operations, after.Webhooks)
	for _, op := range is {
		old := before.Operation(op.Method, op.Path)
		if old == nil {
			list = append(list, Change{Kind: Added, Operation: op, Pos: op.Pos()})
			continue
		}
		list = append(list, Operations(old, op)...)
	}
	for _, op := range was {
		if after.Operation(op.Method, op.Path) == nil {
			list = append(list, Gone(op))
		}
	}
	return list
}

// Gone returns the change for a removed operation.
func Gone(op *openapi.Operation) Change {
	return Change{Kind: Removed, Code: "api-operation-removed", Breaking: true, Operation: op}
}

// differ compares the parts of an operation. op is its current state.
type differ struct {
	op   *openapi.Operation
	list []Change
}

func (d *differ) add(kind Kind, code string, pos diag.Pos, format string, args ...any) {
	if pos == (diag.Pos{}) {
		pos = d.op.Pos()
	}
	d.list = append(d.list, Change{Kind: kind, Code: code, Breaking: code != "", Operation: d.op, Pos: pos,
		Text: fmt.Sprintf(format, args...)})
}

// change adds a change that the checks do not report.
func (d *differ) change(breaking bool, pos diag.Pos, format string, args ...any) {
	d.add(Changed, "", pos, format, args...)
	d.list[len(d.list)-1].Breaking = breaking
}

func (d *differ) parameters(before, after []openapi.Parameter) {
	find := func(list []openapi.Parameter, p openapi.Parameter) (openapi.Parameter, bool) {
		// the names of path parameters may change
		i := slices.IndexFunc(list, func(q openapi.Parameter) bool { return q.In == p.In && q.Name == p.Name })
		if i < 0 {
			return openapi.Parameter{}, false
		}
		return list[i], true
	}
	for _, p := range before {
		if _, ok := find(after, p); !ok && p.In != "path" {
			d.add(Removed, "api-parameter-removed", diag.Pos{}, "the %s parameter %q is gone", p.In, p.Name)
		}
	}
	for _, p := range after {
		was, known := find(before, p)
		what := fmt.Sprintf("the %s parameter %q", p.In, p.Name)
		switch {
		case p.In == "path" && !known:
		case p.Required && p.In != "path" && (!known || !was.Required):
			d.add(Changed, "api-required-added", p.Schema.Pos(), "%s is required now", what)
		case !known:
			d.add(Added, "", p.Schema.Pos(), "%s is new", what)
		case p.Deprecated && !was.Deprecated:
			d.add(Deprecated, "", p.Schema.Pos(), "%s is deprecated", what)
		}
		if known {
			d.values(what, was.Schema, p.Schema, true)
		}
	}
}

func (d *differ) request(before, after *openapi.Body) {
	switch {
	case after == nil:
		return // the API used to accept the fields and now ignores them
	case before == nil || !before.Required && after.Required:
		if after.Required {
			d.add(Changed, "api-required-added", diag.Pos{}, "a request body is required now")
		}
	}
	was, is := fieldsOf(content(before)), fieldsOf(after.Content)
	for _, name := range slices.Sorted(maps.Keys(was.fields)) {
		if _, ok := is.fields[name]; !ok && !is.hides(name) && !was.fields[name].readOnly {
			d.add(Removed, "api-parameter-removed", diag.Pos{}, "the request field %q is gone", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is.fields)) {
		f := is.fields[name]
		old, known := was.fields[name]
		if f.readOnly || was.hides(name) || !known && !was.has(parent(name)) {
			continue
		}
		what := fmt.Sprintf("the request field %q", name)
		switch {
		case f.required && !old.required: // also if the field did not exist before
			d.add(Changed, "api-required-added", f.schema.Pos(), "%s is required now", what)
		case !known:
			d.add(Added, "", f.schema.Pos(), "%s is new", what)
		}
		if known {
			d.field(what, old, f, true)
		}
	}
}

func (d *differ) responses(before, after []openapi.Response) {
	at := func(list []openapi.Response, status string) int {
		return slices.IndexFunc(list, func(r openapi.Response) bool { return r.Status == status })
	}
	for _, r := range before {
		i := at(after, r.Status)
		if i < 0 {
			d.add(Removed, "api-response-removed", diag.Pos{}, "the response %s is gone", r.Status)
			continue
		}
		was, is := fieldsOf(r.Content), fieldsOf(after[i].Content)
		for _, name := range slices.Sorted(maps.Keys(was.fields)) {
			if _, ok := is.fields[name]; !ok && !is.hides(name) && !was.fields[name].writeOnly && is.has(parent(name)) {
				d.add(Removed, "api-response-removed", diag.Pos{}, "the field %q of the response %s is gone", name, r.Status)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(is.fields)) {
			f := is.fields[name]
			old, known := was.fields[name]
			what := fmt.Sprintf("the field %q of the response %s", name, r.Status)
			switch {
			case f.writeOnly || was.hides(name):
			case known:
				d.field(what, old, f, false)
			case was.has(parent(name)):
				d.add(Added, "", f.schema.Pos(), "%s is new", what)
			}
		}
	}
	for _, r := range after {
		if at(before, r.Status) < 0 {
			d.add(Added, "", diag.Pos{}, "the response %s is new", r.Status)
		}
	}
}

// field compares a field that exists in both states. sent is set if clients send the field.
func (d *differ) field(what string, was, is field, sent bool) {
	if is.schema.Deprecated && !was.schema.Deprecated {
		d.add(Deprecated, "", is.schema.Pos(), "%s is deprecated", what)
	}
	d.values(what, was.schema, is.schema, sent)
}

// values compares the allowed values of a parameter or field. A change breaks clients if the API accepts fewer of the
// values that they send, or returns values that they do not know.
func (d *differ) values(what string, was, is *openapi.Schema, sent bool) {
	if was == nil || is == nil || is.Recursive || was.Recursive {
		return
	}
	before, after := allowed(was), allowed(is)
	if one, other := was.Type(), is.Type(); one != other && (len(before) == 0) == (len(after) == 0) {
		fits := covers(other, one)
		if !sent {
			fits = covers(one, other)
		}
		d.change(!fits, is.Pos(), "%s is now %s; it was %s", what, other, one)
		return
	}
	switch {
	case len(before) == 0 && len(after) > 0:
		d.change(sent, is.Pos(), "%s is one of %s now", what, strings.Join(after, ", "))
		return
	case len(after) == 0 && len(before) > 0:
		d.change(!sent, is.Pos(), "%s can have any value now", what)
		return
	}
	if list := without(after, before); len(list) > 0 {
		d.change(false, is.Pos(), "%s also allows %s", what, strings.Join(list, ", "))
	}
	if list := without(before, after); len(list) > 0 {
		d.change(sent, is.Pos(), "%s no longer allows %s", what, strings.Join(list, ", "))
	}
}

// covers reports whether a type includes all values of another type.
func covers(wide, narrow string) bool {
	return wide == "any" || wide == "number" && narrow == "integer" ||
		!slices.ContainsFunc(strings.Split(narrow, " or "), func(t string) bool {
			return !slices.Contains(strings.Split(wide, " or "), t)
		})
}

// allowed returns the values that a schema lists, encoded as JSON.
func allowed(s *openapi.Schema) (out []string) {
	for _, e := range s.Enum {
		out = append(out, cmp.Or(e.Value.JSONUpTo(maxValue), "null"))
	}
	return out
}

// maxValue limits the length of a value in a text, in bytes.
const maxValue = 100

// without returns the elements of list that are not in other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
