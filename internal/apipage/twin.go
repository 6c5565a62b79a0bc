package apipage

import (
	"bytes"
	"strings"

	"github.com/lectern-docs/lectern/internal/openapi"
)

// twinDepth is how deep fields go in the Markdown form; the rest is named only.
const twinDepth = 4

// Twin is the generated part of the page as Markdown, for the page's Markdown form; it follows the page's own text.
func (p *Page) Twin() []byte {
	t := &twin{}
	if p.ref.Method != "" {
		server := ""
		if s := p.servers(); len(s) > 0 && !openapi.Remote(p.ref.Path) {
			server = s[0].Filled()
		}
		t.line("\n`" + p.ref.Method + " " + server + p.ref.Path + "`\n")
	}
	switch {
	case p.op != nil:
		if p.ref.Describe {
			t.line(strings.TrimSpace(p.op.Description) + "\n")
		}
		t.operation(p)
	case p.schema != nil:
		t.fields(p.schema, 0)
	case p.channel != nil:
		t.line("\n`" + p.channel.Address + "`\n")
		for _, m := range p.messages {
			t.line("\n## " + m.Title + "\n")
			if m.Payload != nil {
				t.fields(m.Payload, 0)
			}
		}
	}
	return t.Bytes()
}

// twin collects Markdown.
type twin struct{ bytes.Buffer }

func (t *twin) line(s string) { t.WriteString(s + "\n") }

func (t *twin) operation(p *Page) {
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
		t.line("\n## Body\n\n`" + b.Content[0].Type + "`\n")
		t.fields(b.Content[0].Schema, 0)
	}
	if p.ref.Method != openapi.Webhook {
		if samples := p.samples(); len(samples) > 0 {
			t.line("\n## Example\n\n" + fenced(samples[0]))
		}
	}
	for _, r := range p.detail.Responses {
		t.line("\n## Response " + r.Status + "\n\n" + strings.TrimSpace(r.Description) + "\n")
		if len(r.Content) > 0 {
			t.fields(r.Content[0].Schema, 0)
		}
	}
}

// fenced is code in a fence that its own backticks cannot end.
func fenced(b block) string {
	fence := "```"
	for strings.Contains(b.text, fence) {
		fence += "`"
	}
	return fence + b.lang + "\n" + b.text + "\n" + fence
}

// fields lists what is in a schema.
func (t *twin) fields(s *openapi.Schema, depth int) {
	s = unwrap(s)
	if depth == 0 && !s.Nested() {
		t.line("- " + s.Type())
	}
	if depth >= twinDepth {
		return
	}
	for _, m := range s.Properties {
		t.field(m.Name, m.Schema.Description, m.Required, m.Schema, depth)
	}
	for _, o := range s.Options {
		if o.Nested() {
			t.line(strings.Repeat("  ", depth) + "- one of: " + o.Label())
			t.fields(o, depth+1)
		}
	}
}

func (t *twin) field(name, note string, required bool, s *openapi.Schema, depth int) {
	mark := ""
	if required {
		mark = ", required"
	}
	line := strings.Repeat("  ", depth) + "- `" + name + "` (" + s.Type() + mark + ")"
	if note == "" {
		note = s.Description
	}
	if note = strings.Join(strings.Fields(note), " "); note != "" {
		line += ": " + note
	}
	var values []string
	for _, e := range s.Enum[:min(len(s.Enum), enumShown)] {
		values = append(values, "`"+scalar(e.Value)+"`")
	}
	if len(values) > 0 {
		line += " One of " + strings.Join(values, ", ") + "."
	}
	t.line(line)
	if s.Nested() {
		t.fields(s, depth+1)
	}
}
