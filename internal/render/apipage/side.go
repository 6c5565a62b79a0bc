package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/apisample"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// operationSide writes the samples and responses to the side panel, in the same form as the author's own samples.
func (p *Page) operationSide(w *component.Writer) {
	if !p.in.OwnRequest {
		if p.ref.Method == openapi.Webhook {
			p.payload(w)
		} else {
			beside(w, "RequestExample", p.samples())
		}
	}
	if !p.in.OwnResponse && p.ref.Method != openapi.Webhook {
		beside(w, "ResponseExample", p.answers())
	}
}

// block is a tab of the side panel.
type block struct{ lang, title, text string }

// beside renders blocks as a RequestExample or ResponseExample component.
func beside(w *component.Writer, name string, blocks []block) {
	if len(blocks) == 0 {
		return
	}
	e := &ast.Element{Name: name, Flow: true, Props: []ast.Prop{{Name: "dropdown", Value: len(blocks) > 5}}}
	for _, b := range blocks {
		title := strings.NewReplacer(`"`, "'", "\n", " ").Replace(b.title)
		e.Children = append(e.Children, &ast.Code{Lang: b.lang, Meta: `title="` + title + `"`, Text: b.text})
	}
	w.Render([]ast.Node{e})
}

// maxBlocks limits the number of tabs in one frame, maxText the bytes per tab.
const (
	maxBlocks = 24
	maxText   = 64 << 10
)

// samples returns the author's samples, followed by generated ones for the remaining languages that the site
// configures.
func (p *Page) samples() (out []block) {
	have := map[string]bool{}
	for _, s := range p.detail.Samples {
		lang := apisample.Canonical(s.Lang)
		have[lang] = true
		title := s.Label
		if title == "" {
			title = apisample.Title(lang)
		}
		if title == "" {
			title = s.Lang
		}
		out = append(out, block{highlightAs(s.Lang), title, clip.Bytes(s.Source, maxText)})
	}
	if p.in.Look.NoSamples || len(out) > 0 && len(p.in.Look.Languages) == 0 ||
		p.ref.Playground == "none" && p.op == nil {
		return limit(out)
	}
	languages, _ := apisample.Languages(p.in.Look.Languages)
	r := p.request()
	for _, l := range languages {
		if !have[l.Key] {
			out = append(out, block{l.Highlight, l.Title, l.Write(r)})
		}
	}
	return limit(out)
}

func limit(list []block) []block { return list[:min(len(list), maxBlocks)] }

// highlightAs returns the highlighter's name for a sample's language.
func highlightAs(lang string) string {
	if languages, _ := apisample.Languages([]string{lang}); len(languages) == 1 {
		return languages[0].Highlight
	}
	return strings.ToLower(lang)
}

// answers returns examples for each status: the author's, or generated from the schema.
func (p *Page) answers() (out []block) {
	for _, r := range p.detail.Responses {
		for _, m := range r.Content {
			for i, e := range m.Examples {
				title := r.Status
				if label := e.Label(); label != "" && len(m.Examples) > 1 {
					title += " · " + clip.Bytes(label, 40)
				} else if i > 0 {
					continue
				}
				if out = append(out, block{langOf(m.Type), title, textOf(e.Value, m.Type)}); len(out) >= maxBlocks {
					return out
				}
			}
			if len(m.Examples) == 0 {
				if b, ok := madeUp(m); ok {
					out = append(out, block{b.lang, r.Status, b.text})
				}
			}
			if len(out) >= maxBlocks {
				return out
			}
			if len(out) > 0 && strings.HasPrefix(out[len(out)-1].title, r.Status) {
				break // one media type per status is enough
			}
		}
	}
	return limit(out)
}

func madeUp(m openapi.Media) (block, bool) {
	switch {
	case m.Schema.File():
		return block{}, false
	case isJSON(m.Type) || strings.Contains(m.Type, "event-stream") || m.Type == "*/*":
		return block{lang: "json", text: m.Schema.Sample(openapi.Answer, false).JSON()}, true
	case strings.HasPrefix(m.Type, "text/"):
		return block{lang: "text", text: textOf(m.Schema.Sample(openapi.Answer, false), m.Type)}, true
	}
	return block{}, false
}

func (p *Page) payload(w *component.Writer) {
	if p.detail.Body == nil || len(p.detail.Body.Content) == 0 {
		return
	}
	if m := p.detail.Body.Content[0]; len(m.Examples) > 0 {
		p.example(w, "Payload", m.Examples[0].Value)
	} else {
		p.example(w, "Payload", sampleOf(m.Schema, openapi.Answer))
	}
}

// example writes one JSON value to the side panel.
func (p *Page) example(w *component.Writer, title string, v *jsontree.Value) {
	if !p.in.OwnResponse && v != nil {
		beside(w, "ResponseExample", []block{{"json", title, v.JSON()}})
	}
}

func sampleOf(s *openapi.Schema, way openapi.Way) *jsontree.Value { return s.Sample(way, false) }

func isJSON(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return strings.HasSuffix(strings.TrimSpace(media), "json")
}

func langOf(media string) string {
	switch {
	case isJSON(media), strings.Contains(media, "event-stream"):
		return "json"
	case strings.Contains(media, "xml"):
		return "xml"
	case strings.Contains(media, "html"):
		return "html"
	case strings.Contains(media, "yaml"):
		return "yaml"
	}
	return "text"
}

// textOf writes a value in the form of its media type. A string is unchanged if the type is not JSON or the string
// itself contains JSON.
func textOf(v *jsontree.Value, media string) string {
	if v != nil && v.Kind == jsontree.String && (!isJSON(media) || strings.HasPrefix(strings.TrimSpace(v.Str), "{") ||
		strings.HasPrefix(strings.TrimSpace(v.Str), "[")) {
		return clip.Bytes(strings.TrimRight(v.Str, "\n"), maxText)
	}
	return v.JSON()
}
