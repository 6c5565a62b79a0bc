package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/render/apisample"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// request generates a sample request of the operation.
func (p *Page) request() apisample.Request {
	r := apisample.Request{Method: p.ref.Method, URL: p.ref.Path}
	if servers := p.servers(); len(servers) > 0 && !openapi.Remote(r.URL) {
		r.URL = servers[0].Filled() + r.URL
	} else if strings.HasPrefix(r.URL, "/") {
		r.URL = "https://api.example.com" + r.URL
	}
	var query, cookies []string
	if len(p.detail.Security) > 0 {
		for _, s := range p.detail.Security[0] {
			name, value := credentials(s)
			switch s.In {
			case "query":
				query = append(query, apisample.Query(name, value))
			case "cookie":
				cookies = append(cookies, name+"="+value)
			default:
				r.Headers = append(r.Headers, apisample.Header{Name: name, Value: value})
			}
		}
	}
	for _, param := range p.detail.Parameters {
		if !p.wanted(param) {
			continue
		}
		value := scalar(given(param))
		switch param.In {
		case "query":
			query = append(query, apisample.Query(param.Name, value))
		case "header":
			r.Headers = append(r.Headers, apisample.Header{Name: param.Name, Value: value})
		case "cookie":
			cookies = append(cookies, param.Name+"="+value)
		}
	}
	if len(query) > 0 {
		r.URL += "?" + strings.Join(query, "&")
	}
	if len(cookies) > 0 {
		r.Headers = append(r.Headers, apisample.Header{Name: "Cookie", Value: strings.Join(cookies, "; ")})
	}
	r.Body = p.sampleBody()
	return r
}

// wanted reports whether a sample includes a parameter. It includes required parameters and, unless the site wants only
// those, parameters with an example.
func (p *Page) wanted(param openapi.Parameter) bool {
	return param.Required ||
		!p.in.Look.RequiredOnly && !param.Deprecated && (param.Example != nil || param.Schema.Example != nil)
}

// given returns a value for a parameter. For a list it returns the first item, because APIs differ in how they join
// items.
func given(param openapi.Parameter) *jsontree.Value {
	v := param.Example
	if v == nil {
		v = param.Schema.Sample(openapi.Request, false)
	}
	if v != nil && v.Kind == jsontree.List && len(v.Items) > 0 {
		return v.Items[0]
	}
	return v
}

func credentials(s openapi.Scheme) (name, value string) {
	value = s.Default
	switch s.Type {
	case "apiKey":
		if value == "" {
			value = "<api-key>"
		}
		return s.Name, value
	case "basic":
		return "Authorization", "Basic <credentials>"
	}
	if value == "" {
		value = "<token>"
	}
	return "Authorization", "Bearer " + strings.TrimPrefix(value, "Bearer ")
}

// sampleBody generates the body in its most common format, which is JSON if available.
func (p *Page) sampleBody() (b apisample.Body) {
	if p.detail.Body == nil || len(p.detail.Body.Content) == 0 {
		return b
	}
	content := p.detail.Body.Content
	m := content[0]
	for _, other := range content {
		if isJSON(other.Type) {
			m = other
			break
		}
	}
	value := m.Schema.Sample(openapi.Request, p.in.Look.RequiredOnly)
	if len(m.Examples) > 0 && m.Examples[0].Value != nil {
		value = m.Examples[0].Value
	}
	b.Type, b.Value = m.Type, value
	switch {
	case isJSON(m.Type):
		b.Kind = apisample.JSON
	case strings.HasPrefix(m.Type, "multipart/"):
		b.Kind, b.Fields = apisample.Multipart, fields(m.Schema, value)
	case m.Type == "application/x-www-form-urlencoded":
		b.Kind, b.Fields = apisample.Form, fields(m.Schema, value)
	case m.Schema.File() || strings.HasPrefix(m.Type, "image/") || strings.HasPrefix(m.Type, "audio/") ||
		m.Type == "application/octet-stream":
		b.Kind = apisample.File
	default:
		b.Kind, b.Text = apisample.Text, textOf(value, m.Type)
	}
	return b
}

// fields converts the members of a body to form fields.
func fields(s *openapi.Schema, v *jsontree.Value) (out []apisample.Field) {
	files := map[string]bool{}
	for _, prop := range s.Properties {
		files[prop.Name] = prop.Schema.File() || prop.Schema.Items != nil && prop.Schema.Items.File()
	}
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		f := apisample.Field{Name: m.Key, Value: scalar(m.Value), File: files[m.Key]}
		if f.File {
			f.Value = "example-file"
		} else if f.Value == "" {
			f.Value = strings.Join(strings.Fields(m.Value.JSON()), " ")
		}
		out = append(out, f)
	}
	return out
}
