package apipage

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/render/apisample"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// planMax limits a plan, in bytes. A larger one is generated again with less content.
const planMax = 256 << 10

// plan is the data from which the playground's script creates its forms and its request. Empty members are omitted.
type plan struct {
	Method      string           `json:"method"`
	Path        string           `json:"path"`
	Title       string           `json:"title,omitempty"`
	Servers     []planServer     `json:"servers"`
	Proxy       string           `json:"proxy"`
	ProxyURL    string           `json:"proxyURL,omitempty"`
	Credentials bool             `json:"credentials,omitempty"`
	Security    [][]planScheme   `json:"security,omitempty"`
	Optional    bool             `json:"optional,omitempty"`
	Parameters  []planParameter  `json:"parameters,omitempty"`
	Bodies      []planBody       `json:"bodies,omitempty"`
	Languages   []string         `json:"languages"`
	Schemas     []map[string]any `json:"schemas,omitempty"`
	// Spec identifies the description, so that input typed for one is not suggested for another. It is not the
	// description's name, which may be a private URL.
	Spec string `json:"spec,omitempty"`
}

type planParameter struct {
	In          string          `json:"in"`
	Name        string          `json:"name"`
	Required    bool            `json:"required,omitempty"`
	Deprecated  bool            `json:"deprecated,omitempty"`
	Description string          `json:"description,omitempty"`
	Style       string          `json:"style,omitempty"`
	Explode     bool            `json:"explode,omitempty"`
	Reserved    bool            `json:"allowReserved,omitempty"`
	Content     string          `json:"content,omitempty"`
	Schema      int             `json:"schema"`
	Example     json.RawMessage `json:"example,omitempty"`
}

type planBody struct {
	Type     string                  `json:"type"`
	Required bool                    `json:"required,omitempty"`
	Schema   int                     `json:"schema"`
	Examples []planExample           `json:"examples,omitempty"`
	Encoding map[string]planEncoding `json:"encoding,omitempty"`
}

type planExample struct {
	Name  string          `json:"name,omitempty"`
	Value json.RawMessage `json:"value"`
}

type planEncoding struct {
	ContentType string `json:"contentType,omitempty"`
	Style       string `json:"style,omitempty"`
	Explode     *bool  `json:"explode,omitempty"` // used with Style
	Reserved    bool   `json:"allowReserved,omitempty"`
}

// thrift limits how much of a description goes into a plan.
type thrift struct {
	schemas int // number of schemas
	enum    int // allowed values of each schema
	note    int // bytes of each text; 0 = no text
	value   int // bytes of each example and default
}

// thrifts are tried in order until the plan fits. The last one keeps only what a request needs. If the plan is
// still too large, the page has none.
func thrifts() []thrift {
	return []thrift{{600, 500, 400, 32 << 10}, {400, 200, 120, 4 << 10}, {200, 50, 0, 500}, {0, 0, 0, 0}}
}

// mode returns how the playground of a page is shown. "auth" is treated as "simple", because readers of a public site
// are not signed in.
func (in Input) mode() string {
	for _, word := range []string{in.Page.API.Playground, in.Look.Playground} {
		switch word {
		case "auth":
			return "simple"
		case "interactive", "simple", "none":
			return word
		}
	}
	return "interactive"
}

// Playable reports whether readers can call the operation from the page.
func (p *Page) Playable() bool { return p.plan != nil }

// makePlan returns the plan of the page as JSON that cannot end a script element. It returns nil for a page without
// a plan.
func (p *Page) makePlan() []byte {
	r, ok := p.in.reach()
	if !ok {
		return nil
	}
	d := p.detail
	if p.ref.Kind == site.APIManual {
		d = p.ownDetail(r)
	}
	for _, t := range thrifts() {
		if out, err := json.Marshal(p.planned(r, d, t)); err == nil && len(out) <= planMax {
			return out
		}
	}
	return nil
}

func (p *Page) planned(r reach, d *openapi.Detail, t thrift) plan {
	out := plan{Method: p.ref.Method, Path: r.path, Title: clip.Bytes(p.in.Page.Title, 200),
		Servers: t.servers(r.servers), Optional: d.Optional, Languages: apisample.Keys(p.in.Look.Languages)}
	if p.ref.Spec != "" {
		sum := sha256.Sum256([]byte(p.ref.Spec))
		out.Spec = hex.EncodeToString(sum[:6])
	}
	out.Proxy, out.ProxyURL = p.in.proxy(r.servers)
	out.Credentials = p.in.Look.Credentials && out.Proxy == "none"
	out.Security = t.security(r.security)
	var spec *openapi.Spec
	if p.op != nil {
		spec = p.op.Spec()
	}
	w := &planWriter{thrift: t, graph: openapi.NewGraph(spec, t.schemas)}
	out.Parameters, out.Bodies = w.parameters(d.Parameters), w.bodies(d.Body)
	w.graph.Fill()
	out.Schemas = w.schemas()
	return out
}

// proxy returns whether the site's server forwards requests, and the URL of the proxy. A page whose origins are not on
// the proxy's list does not use the proxy, which would refuse its requests. This is the case if readers do not see the
// page, or enter the host themselves.
func (in Input) proxy(servers []openapi.Server) (word, url string) {
	known := len(in.Playground.Origins) > 0 || slices.ContainsFunc(servers, func(s openapi.Server) bool {
		return slices.ContainsFunc(spread(s), func(p place) bool { return p.origin != "" })
	})
	if in.Look.NoProxy || in.Untold || !known {
		return "none", ""
	}
	switch in.Playground.Proxy {
	case capability.HasProxy:
		return "has", in.ProxyURL
	case capability.MayHaveProxy:
		return "maybe", in.ProxyURL
	}
	return "none", ""
}

// planWriter numbers the schemas of a plan while writing it.
type planWriter struct {
	thrift
	graph *openapi.Graph
}

// Limits for the request in a plan.
const (
	paramMax = 200
	mediaMax = 12
	nameMax  = 200 // bytes of a name, which cannot be truncated
)

func (w *planWriter) parameters(list []openapi.Parameter) (out []planParameter) {
	for _, param := range list[:min(len(list), paramMax)] {
		if len(param.Name) > nameMax {
			continue
		}
		one := planParameter{
			In: param.In, Name: param.Name, Required: param.Required, Deprecated: param.Deprecated,
			Description: w.text(param.Description),
			Style:       param.Style, Explode: param.Explode, Reserved: param.Reserved,
			Content: clip.Bytes(param.Content, nameMax), Schema: w.graph.Add(param.Schema),
			Example: w.json(param.Example),
		}
		if one.Content != "" {
			one.Style, one.Explode = "", false
		}
		out = append(out, one)
	}
	return out
}

func (w *planWriter) bodies(b *openapi.Body) (out []planBody) {
	if b == nil {
		return nil
	}
	for _, m := range b.Content {
		if len(out) >= mediaMax || len(m.Type) > nameMax {
			continue
		}
		one := planBody{Type: m.Type, Required: b.Required, Schema: w.graph.Add(m.Schema)}
		for _, e := range m.Examples {
			if value := w.json(e.Value); value != nil && len(one.Examples) < mediaMax {
				one.Examples = append(one.Examples, planExample{clip.Bytes(e.Label(), 80), value})
			}
		}
		for _, e := range m.Encoding {
			if len(e.Property) <= nameMax && len(one.Encoding) < paramMax && w.schemasFit() {
				one.encode(e)
			}
		}
		out = append(out, one)
	}
	return out
}

// schemasFit distinguishes a plan with forms from the last fallback, which has none.
func (w *planWriter) schemasFit() bool { return w.thrift.schemas > 0 }

func (b *planBody) encode(e openapi.Encoding) {
	if b.Encoding == nil {
		b.Encoding = map[string]planEncoding{}
	}
	one := planEncoding{ContentType: clip.Bytes(e.ContentType, nameMax), Style: e.Style, Reserved: e.Reserved}
	if e.Style != "" {
		one.Explode = &e.Explode
	}
	b.Encoding[e.Property] = one
}

// text converts a description's Markdown to a short plain text.
func (t thrift) text(src string) string {
	if t.note == 0 {
		return ""
	}
	src = strings.TrimSpace(src)
	if head, _, more := strings.Cut(src, "\n\n"); more {
		src = head
	}
	if strings.ContainsAny(src, "\n`*_[<#|\\&") {
		src = plainText(clip.Bytes(src, 4*t.note))
	}
	return clip.Bytes(src, t.note)
}
