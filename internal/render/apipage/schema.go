package apipage

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// root writes a schema that is a whole body: its fields without a frame, or what it is when it has none.
func (p *Page) root(w *component.Writer, s *openapi.Schema, prefix string) {
	if p.stopped(w.Len()) {
		return
	}
	inner := unwrap(s)
	if inner != s || !inner.Nested() || s.Nullable {
		w.Raw(`<p class="api-facts"><span class="field-type">`)
		w.Text(s.Type())
		w.Raw(`</span></p>`)
	}
	if p.schema != s { // a schema's page has its description already
		p.prose(w, s.Description)
	}
	p.facts(w, s, nil)
	p.members(w, inner, prefix)
}

// unwrap goes through lists to what is in them.
func unwrap(s *openapi.Schema) *openapi.Schema {
	for range 4 {
		if s.Base != "array" || s.Items == nil || len(s.Properties) > 0 || s.Recursive {
			break
		}
		s = s.Items
	}
	return s
}

// nested writes what is inside a field, closed at first unless the site wants it open.
func (p *Page) nested(w *component.Writer, s *openapi.Schema, prefix string) {
	inner := unwrap(s)
	if !inner.Nested() {
		if inner != s && inner.Recursive {
			p.facts(w, &openapi.Schema{Name: inner.Name, Recursive: true}, nil)
		}
		return
	}
	if inner != s && inner.Description != "" && inner.Description != s.Description && len(inner.Options) == 0 {
		p.prose(w, inner.Description)
	}
	if len(inner.Properties) == 0 && inner.Additional == nil { // alternatives have rows of their own
		p.members(w, inner, prefix)
		return
	}
	w.Raw(`<details class="expandable"`)
	w.Flag("open", p.in.Look.Expanded)
	w.Raw(
		`><summary><span class="expandable-show">Show</span><span class="expandable-hide">Hide</span> <span class="expandable-title">`)
	w.Text(p.title(inner))
	w.Raw(`</span></summary><div class="expandable-body flow">`)
	p.members(w, inner, prefix)
	w.Raw(`</div></details>`)
}

func (p *Page) title(s *openapi.Schema) string {
	if len(s.Properties) == 0 {
		return "fields"
	}
	return count(len(s.Properties), "field", "fields")
}

// members writes the fields of an object and the alternatives of a schema.
func (p *Page) members(w *component.Writer, s *openapi.Schema, prefix string) {
	for _, m := range s.Properties {
		if p.way == openapi.Request && m.Schema.ReadOnly || p.way == openapi.Answer && m.Schema.WriteOnly {
			continue
		}
		p.field(w, field{name: m.Name, id: prefix + "-" + dashed(m.Name), required: m.Required, pattern: m.Pattern,
			schema: m.Schema})
	}
	if a := s.Additional; a != nil && (a.Nested() || a.Base != "" || a.Description != "" || len(s.Properties) == 0) {
		p.field(w, field{name: "{key}", id: prefix + "-key", schema: a})
	}
	if len(s.Options) > 0 {
		p.options(w, s, prefix)
	}
}

// options writes alternatives as rows of which one is open.
func (p *Page) options(w *component.Writer, s *openapi.Schema, prefix string) {
	if !worthRows(s.Options) {
		return // the type says it all
	}
	choice := w.IDs.Claim("api-choice")
	w.Raw(`<div class="api-options"><p class="api-facts"><span>One of`)
	if s.Discriminator != "" {
		w.Raw(`, by`)
	}
	w.Raw(`</span>`)
	if s.Discriminator != "" {
		w.Raw(` <code>`)
		w.Text(s.Discriminator)
		w.Raw(`</code>`)
	}
	w.Raw(`</p>`)
	for i, o := range s.Options {
		w.Raw(`<details class="api-option"`)
		w.Attr("name", choice)
		w.Flag("open", i == 0)
		w.Raw(`><summary><span class="api-option-name">`)
		w.Text(clip.Bytes(o.Label(), 80))
		w.Raw(`</span> <span class="field-type">`)
		if t := o.Type(); t != o.Label() {
			w.Text(t)
		}
		w.Raw(`</span>`)
		if o.Tagged != "" && o.Tagged != o.Label() {
			w.Raw(` <code>`)
			w.Text(o.Tagged)
			w.Raw(`</code>`)
		}
		w.Raw(`</summary><div class="api-option-body flow">`)
		p.prose(w, o.Description)
		p.facts(w, o, nil)
		p.members(w, unwrap(o), prefix+"-"+strconv.Itoa(i+1))
		w.Raw(`</div></details>`)
	}
	w.Raw(`</div>`)
}

// worthRows reports whether alternatives differ in more than their type.
func worthRows(options []*openapi.Schema) bool {
	for _, o := range options {
		if o.Nested() || o.Description != "" || o.Title != "" || len(o.Enum) > 0 || o.Const != nil ||
			len(o.Limits) > 0 || o.Recursive || o.Cut {
			return true
		}
	}
	return false
}
