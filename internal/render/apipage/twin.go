package apipage

import (
	"bytes"
	"strings"

	md "github.com/lectern-docs/lectern/internal/render/markdown"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// twinDepth is the maximum depth of fields in the Markdown form. For deeper fields, only the type is shown.
const twinDepth = 4

// Twin returns the generated part of the page as Markdown, for the page's Markdown form. It follows the page's own
// text. resolve resolves links in the description; if it is nil, links are not changed.
func (p *Page) Twin(resolve md.Resolve) []byte {
	t := &twin{page: p, resolve: resolve}
	if p.ref.Method != "" {
		server := ""
		if s := p.servers(); len(s) > 0 && !openapi.Remote(p.ref.Path) {
			server = s[0].Filled()
		}
		t.line("\n" + md.Code(p.ref.Method+" "+server+p.ref.Path) + "\n")
	}
	switch {
	case p.op != nil:
		t.describe(p, p.op.Description)
		t.operation(p)
		t.whole("OpenAPI", p.op.Excerpt)
	case p.schema != nil:
		t.describe(p, p.schema.Description)
		t.fields(p.schema, 0)
	case p.channel != nil:
		t.line("\n" + md.Code(p.channel.Address) + "\n")
		t.describe(p, p.channel.Description)
		for _, m := range p.messages {
			if p.stopped(t.Len()) {
				break
			}
			t.line("\n## " + md.Text(m.Title) + "\n")
			if m.Payload != nil {
				t.fields(m.Payload, 0)
			}
		}
		t.whole("AsyncAPI", p.channel.Excerpt)
	}
	return t.Bytes()
}

// twin collects Markdown.
type twin struct {
	bytes.Buffer
	page    *Page
	resolve md.Resolve
}

func (t *twin) line(s string) { t.WriteString(s + "\n") }

// describe writes the description's own text unless the page's text replaces it.
func (t *twin) describe(p *Page, text string) {
	if p.ref.Describe && strings.TrimSpace(text) != "" {
		t.WriteByte('\n')
		t.Write(md.Fragment(markdown(text), t.resolve))
	}
}

// maxExcerpt limits the part of a description on one page, in bytes. A large description can have many pages, each with
// its own excerpt.
const maxExcerpt = 256 << 10

// whole writes the part of the description that the page shows, if the site includes such parts.
func (t *twin) whole(kind string, excerpt func() string) {
	if !t.page.in.FullSchema || t.page.stopped(t.Len()) {
		return
	}
	text := excerpt()
	if len(text) > maxExcerpt {
		t.line("\n## " + kind + "\n\nThis part of the API description is too large to show here.")
		return
	}
	t.line("\n## " + kind + "\n\n" + fenced(block{lang: "json", text: text}))
}

// security lists the authentication requirements, with alternatives separately.
func (t *twin) security(d *openapi.Detail) {
	if len(d.Security) == 0 {
		return
	}
	t.line("\n## Authorizations\n")
	for i, req := range d.Security {
		if i > 0 {
			t.line("\nor\n")
		}
		for _, s := range req {
			mark := ""
			if !d.Optional {
				mark = ", required"
			}
			line := "- " + md.Code(s.Name) + " (" + md.Word(s.In) + mark + ")"
			if note := md.Line(markdown(schemeNote(s)), t.resolve); note != "" {
				line += ": " + note
			}
			t.line(line)
		}
	}
}

func (t *twin) operation(p *Page) {
	t.security(p.detail)
	for _, part := range [...]struct{ in, title string }{
		{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Headers"}, {"cookie", "Cookies"},
	} {
		started := false
		for _, param := range p.detail.Parameters {
			if param.In != part.in {
				continue
			}
			if !started {
				t.line("\n## " + part.title + "\n")
				started = true
			}
			t.field(param.Name, param.Description, param.Required, param.Schema, 0)
		}
	}
	if b := p.detail.Body; b != nil && len(b.Content) > 0 {
		t.line("\n## Body\n\n" + md.Code(b.Content[0].Type) + "\n")
		t.fields(b.Content[0].Schema, 0)
	}
	if p.ref.Method != openapi.Webhook {
		if samples := p.samples(); len(samples) > 0 {
			t.line("\n## Example\n\n" + fenced(samples[0]))
		}
	}
	for _, r := range p.detail.Responses {
		if p.stopped(t.Len()) {
			return
		}
		t.line("\n## Response " + md.Text(r.Status) + "\n")
		t.Write(md.Fragment(markdown(r.Description), t.resolve))
		t.WriteByte('\n')
		if len(r.Content) > 0 {
			t.fields(r.Content[0].Schema, 0)
		}
	}
}

// fenced returns code in a fence that is longer than any run of backticks in the code.
func fenced(b block) string {
	fence := "```"
	for strings.Contains(b.text, fence) {
		fence += "`"
	}
	return fence + b.lang + "\n" + b.text + "\n" + fence
}

// fields lists the fields of a schema.
func (t *twin) fields(s *openapi.Schema, depth int) {
	s = unwrap(s)
	if depth == 0 && !s.Nested() {
		t.line("- " + md.Word(s.Type()))
	}
	if depth >= twinDepth {
		return
	}
	for _, m := range s.Properties {
		t.field(m.Name, m.Schema.Description, m.Required, m.Schema, depth)
	}
	choice := "one of"
	if s.AnyOf {
		choice = "any of"
	}
	for _, o := range s.Options {
		if o.Nested() {
			t.line(strings.Repeat("  ", depth) + "- " + choice + ": " + md.Word(o.Label()))
			t.fields(o, depth+1)
		}
	}
}

func (t *twin) field(name, note string, required bool, s *openapi.Schema, depth int) {
	if t.page.stopped(t.Len()) {
		return
	}
	mark := ""
	if required {
		mark = ", required"
	}
	line := strings.Repeat("  ", depth) + "- " + md.Code(name) + " (" + md.Word(s.Type()) + mark + ")"
	if note == "" {
		note = s.Description
	}
	if note = md.Line(markdown(note), t.resolve); note != "" {
		line += ": " + note
	}
	var values []string
	for _, e := range s.Enum[:min(len(s.Enum), enumShown)] {
		values = append(values, md.Code(scalar(e.Value)))
	}
	if len(values) > 0 {
		line += " One of " + strings.Join(values, ", ") + "."
	}
	if len(s.Limits) > 0 {
		line += " Limits: " + md.Text(strings.Join(s.Limits, ", ")) + "."
	}
	t.line(line)
	if s.Nested() {
		t.fields(s, depth+1)
	}
}
