package apipage

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// operation writes the parts of an operation in the order that readers expect. prefix is prepended to the ids of a
// callback's fields.
func (p *Page) operation(w *component.Writer, d *openapi.Detail, prefix string) {
	p.security(w, d)
	for _, part := range [...]struct{ in, title string }{
		{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Headers"}, {"cookie", "Cookies"},
	} {
		p.parameters(w, d.Parameters, part.in, part.title, prefix)
	}
	if d.Body != nil {
		p.body(w, d.Body, prefix)
	}
	if len(d.Callbacks) > 0 {
		p.callbacks(w, d.Callbacks)
	}
	if len(d.Responses) > 0 {
		p.responses(w, d.Responses, prefix)
	}
}

func (p *Page) parameters(w *component.Writer, all []openapi.Parameter, in, title, prefix string) {
	started := false
	for _, param := range all {
		if param.In != in {
			continue
		}
		if !started {
			heading(w, title, prefix)
			started = true
		}
		p.parameter(w, param, prefix+"parameter-")
	}
}

func (p *Page) parameter(w *component.Writer, param openapi.Parameter, prefix string) {
	p.field(w, field{
		name: param.Name, id: prefix + dashed(param.Name), required: param.Required, deprecated: param.Deprecated,
		note: param.Description, example: param.Example, schema: param.Schema,
	})
}

func (p *Page) body(w *component.Writer, b *openapi.Body, prefix string) {
	title := "Body"
	if p.ref.Method == openapi.Webhook && prefix == "" {
		title = "Payload"
	}
	heading(w, title, prefix)
	p.way = openapi.Request
	if title == "Payload" {
		p.way = openapi.Answer
	}
	p.content(w, b.Content, prefix+"body", b.Required && title == "Body", b.Description)
	p.way = openapi.Anything
}

// content writes a body for each media type. Media types with the same schema share one form. If there is only one
// form, readers have nothing to select.
func (p *Page) content(w *component.Writer, content []openapi.Media, prefix string, required bool, note string) {
	groups := alike(content)
	if len(groups) == 1 || required {
		w.Raw(`<p class="api-facts api-media">`)
		if len(groups) == 1 {
			w.Raw(`<code>`)
			w.Text(strings.Join(groups[0].types, ", "))
			w.Raw(`</code> `)
		}
		if required {
			w.Raw(`<span class="field-mark field-required">required</span>`)
		}
		w.Raw(`</p>`)
	}
	p.prose(w, note)
	if len(groups) == 1 {
		p.root(w, groups[0].schema, prefix)
		return
	}
	choice := w.IDs.Claim("api-choice")
	for i, g := range groups {
		w.Raw(`<details class="api-option"`)
		w.Attr("name", choice)
		w.Flag("open", i == 0)
		w.Raw(`><summary><code>`)
		w.Text(strings.Join(g.types, ", "))
		w.Raw(`</code></summary><div class="api-option-body flow">`)
		p.root(w, g.schema, prefix)
		w.Raw(`</div></details>`)
	}
}

type mediaGroup struct {
	types  []string
	schema *openapi.Schema
}

// alike groups media types whose schemas have the same name.
func alike(content []openapi.Media) (out []mediaGroup) {
	for _, m := range content {
		found := false
		for i := range out {
			if s := out[i].schema; s.Name != "" && s.Name == m.Schema.Name && s.Base == m.Schema.Base {
				out[i].types = append(out[i].types, m.Type)
				found = true
				break
			}
		}
		if !found {
			out = append(out, mediaGroup{[]string{m.Type}, m.Schema})
		}
	}
	return out
}

// responses writes a row for each status. The first successful one is expanded.
func (p *Page) responses(w *component.Writer, list []openapi.Response, prefix string) {
	heading(w, "Responses", prefix)
	w.Raw(`<div class="api-responses">`)
	opened := false
	for i, r := range list {
		open := !opened && (strings.HasPrefix(r.Status, "2") || i == len(list)-1 && len(list) == 1)
		opened = opened || open
		p.response(w, r, open, prefix+"response-"+dashed(r.Status))
	}
	w.Raw("</div>\n")
}

func (p *Page) response(w *component.Writer, r openapi.Response, open bool, id string) {
	if p.stopped(w.Len()) {
		return
	}
	w.Raw(`<details class="api-response"`)
	w.Attr("id", w.IDs.Claim(id))
	w.Flag("open", open)
	w.Raw(`><summary><span class="api-status"`)
	w.Attr("data-class", class(r.Status))
	w.Raw(`>`)
	w.Text(r.Status)
	w.Raw(`</span> <span class="api-summary">`)
	w.Text(firstLine(r.Description))
	w.Raw(`</span></summary><div class="api-response-body flow">`)
	if strings.TrimSpace(r.Description) != firstLine(r.Description) {
		p.prose(w, r.Description)
	}
	if len(r.Content) > 0 {
		p.way = openapi.Answer
		p.content(w, r.Content, id, false, "")
		p.way = openapi.Anything
	} else if len(r.Headers) == 0 {
		w.Raw(`<p class="api-facts">No body.</p>`)
	}
	if len(r.Headers) > 0 { // after the body, which matters most to readers
		w.Raw(`<p class="api-part">Headers</p>`)
		for _, h := range r.Headers {
			p.parameter(w, h, id+"-header-")
		}
	}
	w.Raw(`</div></details>`)
}

// class returns the first digit of a status code, or "" if the status is not a code.
func class(status string) string {
	if len(status) == 3 && status[0] >= '1' && status[0] <= '5' {
		return status[:1]
	}
	return ""
}

func (p *Page) callbacks(w *component.Writer, list []openapi.Callback) {
	heading(w, "Callbacks", "")
	for _, c := range list {
		w.Raw(`<details class="api-response"`)
		w.Attr("id", w.IDs.Claim("callback-"+dashed(c.Name)))
		w.Raw(`><summary>`)
		method(w, c.Operation.Method)
		w.Raw(` <span class="api-summary">`)
		w.Text(c.Name)
		w.Raw(` <code>`)
		w.Text(c.Expression)
		w.Raw(`</code></span></summary><div class="api-response-body flow">`)
		p.prose(w, c.Operation.Description)
		inner := *c.Detail
		inner.Security = nil // the receiver of the callback chooses how to authenticate
		p.operation(w, &inner, "callback-"+dashed(c.Name)+"-")
		w.Raw(`</div></details>`)
	}
}

func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if line, _, more := strings.Cut(s, "\n"); more {
		return line
	}
	if len(s) > 120 {
		if i := strings.LastIndexByte(s[:120], ' '); i > 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// dashed converts a name to a part of an id: letters, digits and dashes.
func dashed(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if out := strings.Trim(b.String(), "-"); out != "" {
		return out
	}
	return "field"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
