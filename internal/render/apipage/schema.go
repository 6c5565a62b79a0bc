package apipage

import (
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// root writes the schema of a whole body: its fields without a frame, or its type if it has no fields.
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
	if p.schema != s { // the page of a schema already shows its description
		p.prose(w, s.Description)
	}
	p.facts(w, s, nil)
	p.members(w, inner, prefix)
}

// unwrap returns the item schema of a (nested) list.
func unwrap(s *openapi.Schema) *openapi.Schema {
	for range 4 {
		if s.Base != "array" || s.Items == nil || len(s.Properties) > 0 || s.Recursive {
			break
		}
		s = s.Items
	}
	return s
}

// nested writes the content of a field. It is collapsed unless the site configures otherwise.
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
	if len(inner.Properties) == 0 && inner.Additional == nil { // alternatives have their own rows
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
