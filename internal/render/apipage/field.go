package apipage

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// field is a named value with its properties.
type field struct {
	name, id             string
	place                string // "header", for authorizations
	required, deprecated bool
	pattern              bool
	note                 string // Markdown; "" = use the schema's description
	example              *jsontree.Value
	schema               *openapi.Schema
}

func (p *Page) field(w *component.Writer, f field) {
	if p.stopped(w.Len()) {
		return
	}
	s := f.schema
	id := w.IDs.Claim(f.id)
	w.Raw(`<div class="field`)
	if f.deprecated || s.Deprecated {
		w.Raw(` field-old`)
	}
	w.Raw(`"`)
	w.Attr("id", id)
	w.Raw(`><div class="field-head"><a class="anchor"`)
	w.Attr("href", "#"+id)
	w.Raw(` aria-label="Link to this field"></a>`)
	labels(w, s.Pre)
	w.Raw(`<code class="field-name">`)
	w.Text(f.name)
	w.Raw(`</code> <span class="field-type">`)
	w.Text(s.Type())
	w.Raw(`</span> `)
	p.marks(w, f)
	w.Raw(`</div>`)
	before := w.Len()
	w.Raw(`<div class="field-body flow">`)
	empty := w.Len()
	note := f.note
	if note == "" {
		note = s.Description
	}
	p.prose(w, note)
	p.facts(w, s, f.example)
	p.nested(w, s, f.id)
	if w.Len() == empty {
		w.Truncate(before)
	} else {
		w.Raw(`</div>`)
	}
	w.Raw("</div>\n")
}

// marks writes the short labels after the type.
func (p *Page) marks(w *component.Writer, f field) {
	s := f.schema
	for _, m := range [...]struct {
		on          bool
		word, class string
	}{
		{f.place != "", f.place, "field-mark"}, {f.pattern, "pattern", "field-mark"},
		{f.required, "required", "field-mark field-required"},
		{s.ReadOnly, "read-only", "field-mark"}, {s.WriteOnly, "write-only", "field-mark"},
		{f.deprecated || s.Deprecated, "deprecated", "field-mark field-deprecated"},
	} {
		if m.on {
			w.Raw(`<span`)
			w.Attr("class", m.class)
			w.Raw(`>`)
			w.Text(m.word)
			w.Raw(`</span> `)
		}
	}
	if v := scalar(s.Default); v != "" {
		w.Raw(`<span class="field-default">default: <code>`)
		w.Text(clip.Bytes(v, 80))
		w.Raw(`</code></span> `)
	}
	labels(w, pills(s, p.in.Look.Pills))
	labels(w, s.Post)
}

func labels(w *component.Writer, list []string) {
	for _, l := range list {
		w.Raw(`<span class="field-label">`)
		w.Text(clip.Bytes(l, 60))
		w.Raw(`</span> `)
	}
}

// pills returns the values of the schema keys that the site wants to show next to field names.
func pills(s *openapi.Schema, keys []string) (out []string) {
	for _, key := range keys {
		v := s.Field(key)
		switch {
		case v == nil || v.Kind == jsontree.Object || v.Kind == jsontree.Null:
		case v.Kind == jsontree.List:
			for _, item := range v.Items {
				if t := item.Text(); t != "" {
					out = append(out, t)
				}
			}
		case v.Kind == jsontree.Bool:
			if v.True() {
				out = append(out, key)
			}
		case v.Text() != "":
			out = append(out, v.Text())
		}
	}
	return out
}

// enumShown is the maximum number of allowed values to show.
const enumShown = 40

// facts writes the constraints on a value.
func (p *Page) facts(w *component.Writer, s *openapi.Schema, example *jsontree.Value) {
	if s.Base == "array" && s.Items != nil && len(s.Items.Enum) > 0 {
		p.enum(w, s.Items)
	}
	p.enum(w, s)
	if v := scalar(s.Const); v != "" {
		fact(w, "Always", v)
	}
	if words := s.FormatWords(); words != "" && len(s.Enum) == 0 {
		sentence(w, "Format", words)
	}
	if len(s.Limits) > 0 {
		bounds(w, s.Limits)
	}
	if s.Pattern != "" {
		fact(w, "Matches", clip.Bytes(s.Pattern, 200))
	}
	if example == nil {
		example = s.Example
	}
	if v := scalar(example); v != "" && len(s.Enum) == 0 {
		fact(w, "Example", clip.Bytes(v, 200))
	}
	if s.Recursive {
		w.Raw(`<p class="api-facts">Has the same fields as <code>`)
		w.Text(s.Name)
		w.Raw(`</code> above.</p>`)
	}
	if s.Cut {
		w.Raw(`<p class="api-facts">More fields are not shown here; see the API description`)
		if s.Name != "" {
			w.Raw(` of <code>`)
			w.Text(s.Name)
			w.Raw(`</code>`)
		}
		w.Raw(`.</p>`)
	}
}

// bounds writes the limits of a value: formulas as code, anything else as plain text.
func bounds(w *component.Writer, list []string) {
	w.Raw(`<p class="api-facts"><span>Limits</span>`)
	for i, l := range list {
		if i > 0 {
			w.Raw(`,`)
		}
		if strings.ContainsAny(l, "<>≤≥") {
			w.Raw(` <code>`)
			w.Text(l)
			w.Raw(`</code>`)
			continue
		}
		w.Raw(` `)
		w.Text(l)
	}
	w.Raw(`</p>`)
}

func sentence(w *component.Writer, name, text string) {
	w.Raw(`<p class="api-facts"><span>`)
	w.Text(name)
	w.Raw(`</span> `)
	w.Text(text)
	w.Raw(`</p>`)
}

func fact(w *component.Writer, name, value string) {
	w.Raw(`<p class="api-facts"><span>`)
	w.Text(name)
	w.Raw(`</span> <code>`)
	w.Text(value)
	w.Raw(`</code></p>`)
}

func (p *Page) enum(w *component.Writer, s *openapi.Schema) {
	if len(s.Enum) == 0 {
		return
	}
	noted := false
	for _, e := range s.Enum {
		noted = noted || e.Note != ""
	}
	if noted {
		w.Raw(`<dl class="api-enum">`)
		for _, e := range s.Enum[:min(len(s.Enum), enumShown)] {
			w.Raw(`<div><dt><code>`)
			w.Text(clip.Bytes(scalar(e.Value), 120))
			w.Raw(`</code></dt><dd>`)
			w.Render(inline(e.Note))
			w.Raw(`</dd></div>`)
		}
		w.Raw(`</dl>`)
		return
	}
	w.Raw(`<p class="api-facts api-values"><span>One of</span>`)
	for _, e := range s.Enum[:min(len(s.Enum), enumShown)] {
		w.Raw(` <code>`)
		w.Text(clip.Bytes(scalar(e.Value), 120))
		w.Raw(`</code>`)
	}
	if more := len(s.Enum) - enumShown; more > 0 {
		w.Text(" and " + strconv.Itoa(more) + " more")
	}
	w.Raw(`</p>`)
}

// scalar returns a value on one line: a string unchanged, lists and objects as JSON if they are short.
func scalar(v *jsontree.Value) string {
	switch {
	case v == nil:
		return ""
	case v.Kind == jsontree.Null:
		return "null"
	case v.Kind == jsontree.String && v.Str == "":
		return `""`
	case v.Kind == jsontree.List || v.Kind == jsontree.Object:
		if len(v.Items)+len(v.Members) > 8 {
			return ""
		}
		s := strings.Join(strings.Fields(v.JSON()), " ")
		if len(s) > 160 {
			return ""
		}
		return s
	}
	return v.Text()
}
