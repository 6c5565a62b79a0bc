package openapi

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Detail holds the parameters, body and responses of an operation. It is created for one page; the caller owns it.
type Detail struct {
	Servers    []Server
	Security   []Requirement // alternatives; empty = no authentication
	Optional   bool          // requests also work without any of Security
	Parameters []Parameter   // path, query, header and cookie parameters; within each location in source order
	Body       *Body         // nil = no body
	Responses  []Response
	Callbacks  []Callback
	Samples    []Sample // x-codeSamples
}

// Parameter is a value in the path, query, headers or cookies, or a header of a response.
type Parameter struct {
	Name, In    string
	Description string
	Required    bool
	Deprecated  bool
	// encoding of lists and objects: "form", "simple", "matrix", "label", "spaceDelimited", "pipeDelimited",
	// "deepObject"
	Style    string
	Explode  bool   // encode a list as several parameters
	Reserved bool   // do not escape characters that are reserved in URLs
	Content  string // encode the value as this media type; "" = use Style
	Schema   *Schema
	Example  *jsontree.Value // nil = not given
}

// Body is a request body.
type Body struct {
	Description string
	Required    bool
	Content     []Media
}

// Media is one media type of a body.
type Media struct {
	Type     string // application/json
	Schema   *Schema
	Examples []Example
	Encoding []Encoding
}

// Example is an author's example of a body.
type Example struct {
	Name, Summary, Description string
	Value                      *jsontree.Value
}

// Label returns the name that readers see for the example.
func (e Example) Label() string {
	if e.Summary != "" {
		return e.Summary
	}
	return e.Name
}

// Response is a response with one status ("200", "4XX", "default").
type Response struct {
	Status, Description string
	Headers             []Parameter
	Content             []Media
}

// Callback is a request that the API sends later.
type Callback struct {
	Name, Expression string
	Operation        *Operation
	Detail           *Detail
}

// Sample is a code sample that the author wrote.
type Sample struct{ Lang, Label, Source string }

// Servers returns the servers of the operation itself, or else of its path, or else of the description. The
// description's servers are shared.
func (o *Operation) Servers() []Server {
	for _, v := range []*jsontree.Value{o.raw, o.item} {
		if own := readServers(v.Get("servers")); len(own) > 0 {
			return own
		}
	}
	return o.spec.Servers
}

// Security returns the alternative ways to authenticate. optional means that requests also work without any of
// them.
func (o *Operation) Security() (alternatives []Requirement, optional bool) {
	return o.spec.security(o.raw)
}

// Detail reads the operation.
func (o *Operation) Detail() *Detail { return o.detail(newViews(o.spec), true) }

func (o *Operation) detail(vs *views, callbacks bool) *Detail {
	s := o.spec
	d := &Detail{Servers: o.Servers()}
	d.Security, d.Optional = o.Security()
	raw := o.raw
	if s.swagger {
		raw = s.upgrade(o)
	}
	d.Parameters = vs.parameters(raw.Get("parameters"), o.item.Get("parameters"))
	d.Body = vs.body(raw.Get("requestBody"))
	for _, m := range members(raw.Get("responses")) {
		if !strings.HasPrefix(m.Key, "x-") && vs.part() {
			d.Responses = append(d.Responses, vs.response(m.Key, m.Value))
		}
	}
	if callbacks {
		d.Callbacks = vs.callbacks(raw.Get("callbacks"))
	}
	d.Samples = samples(raw)
	return d
}

// places lists the locations of parameters in the order that readers expect.
var places = []string{"path", "query", "header", "cookie"}

// parameters reads the parameters of the operation and of its path. The operation's parameters take precedence. It
// omits headers that other parts of the description define.
func (vs *views) parameters(own, shared *jsontree.Value) (out []Parameter) {
	seen := map[string]bool{}
	for _, list := range []*jsontree.Value{own, shared} {
		for _, raw := range items(list) {
			raw = vs.spec.target(raw)
			p := Parameter{Name: raw.Get("name").Text(), In: raw.Get("in").Text()}
			key := p.In + " " + p.Name
			if p.Name == "" || seen[key] || !slices.Contains(places, p.In) || raw.Get("x-hidden").True() ||
				p.In == "header" && slices.Contains([]string{"accept", "content-type", "authorization"},
					strings.ToLower(p.Name)) {
				continue
			}
			if !vs.part() {
				return out
			}
			seen[key] = true
			out = append(out, vs.parameter(p, raw))
		}
	}
	slices.SortStableFunc(out,
		func(a, b Parameter) int { return slices.Index(places, a.In) - slices.Index(places, b.In) })
	return out
}

func (vs *views) parameter(p Parameter, raw *jsontree.Value) Parameter {
	p.Description, p.Deprecated = raw.Get("description").Text(), raw.Get("deprecated").True()
	p.Required = raw.Get("required").True() || p.In == "path"
	p.Style, p.Explode = style(p.In, raw)
	p.Reserved = raw.Get("allowReserved").True()
	schema := raw.Get("schema")
	if schema == nil {
		for _, m := range members(raw.Get("content")) {
			schema, p.Content = vs.spec.target(m.Value).Get("schema"), m.Key
		}
	}
	if vs.spec.swagger && schema == nil {
		schema = raw // in Swagger 2.0, the parameter itself contains the schema's keys
		p.Style, p.Explode = collection(p.In, raw)
	}
	p.Schema = vs.schema(schema)
	if vs.spec.swagger && p.Schema.Description == p.Description {
		p.Schema.Description = ""
	}
	if p.Example = raw.Get("example"); p.Example == nil {
		if list := vs.examples(raw); len(list) > 0 {
			p.Example = list[0].Value
		}
	}
	return p
}

func (vs *views) body(raw *jsontree.Value) *Body {
	if raw = vs.spec.target(raw); raw == nil {
		return nil
	}
	b := &Body{Description: raw.Get("description").Text(), Required: raw.Get("required").True(),
		Content: vs.content(raw.Get("content"))}
	if len(b.Content) == 0 && b.Description == "" {
		return nil
	}
	return b
}

func (vs *views) content(raw *jsontree.Value) (out []Media) {
	for _, m := range members(raw) {
		if !vs.part() {
			break
		}
		media := vs.spec.target(m.Value)
		out = append(out, Media{Type: m.Key, Schema: vs.schema(media.Get("schema")), Examples: vs.examples(media),
			Encoding: encodings(media.Get("encoding"))})
	}
	return out
}

// examples reads "examples" and "example" of a parameter or a media type.
func (vs *views) examples(raw *jsontree.Value) (out []Example) {
	for _, m := range members(raw.Get("examples")) {
		if !vs.part() {
			break
		}
		e := vs.spec.target(m.Value)
		if v := e.Get("value"); v != nil {
			out = append(out, Example{Name: m.Key, Summary: oneLine(e.Get("summary").Text()),
				Description: e.Get("description").Text(), Value: v})
		} else if e.Get("externalValue") == nil && e != nil && raw.Get("schema") == nil { // Swagger 2.0: the value itself
			out = append(out, Example{Name: m.Key, Value: e})
		}
	}
	if v := raw.Get("example"); v != nil && len(out) == 0 {
		out = append(out, Example{Value: v})
	}
	return out
}

func (vs *views) response(status string, raw *jsontree.Value) Response {
	raw = vs.spec.target(raw)
	r := Response{Status: status, Description: raw.Get("description").Text(), Content: vs.content(raw.Get("content"))}
	for _, m := range members(raw.Get("headers")) {
		if !vs.part() {
			break
		}
		r.Headers = append(r.Headers, vs.parameter(Parameter{Name: m.Key, In: "header"}, vs.spec.target(m.Value)))
	}
	return r
}

// maxCallbacks limits the callbacks on one page.
const maxCallbacks = 20

func (vs *views) callbacks(raw *jsontree.Value) (out []Callback) {
	for _, cb := range members(raw) {
		for _, expr := range members(vs.spec.target(cb.Value)) {
			item := vs.spec.target(expr.Value)
			for _, m := range members(item) {
				if !slices.Contains(methods, strings.ToLower(m.Key)) || len(out) >= maxCallbacks {
					continue
				}
				op := vs.spec.newOperation(strings.ToUpper(m.Key), expr.Key, m.Value, item)
				if len(op.Visibility().Groups) > 0 {
					continue // readers of the page may not be permitted to see it
				}
				out = append(out, Callback{Name: cb.Key, Expression: expr.Key, Operation: op,
					Detail: op.detail(vs, false)})
			}
		}
	}
	return out
}

func samples(raw *jsontree.Value) (out []Sample) {
	for _, key := range []string{"x-codeSamples", "x-code-samples"} {
		for _, v := range items(raw.Get(key)) {
			if src := v.Get("source").Text(); src != "" {
				out = append(out, Sample{Lang: v.Get("lang").Text(), Label: oneLine(v.Get("label").Text()),
					Source: strings.TrimRight(src, "\n")})
			}
		}
	}
	return out
}
