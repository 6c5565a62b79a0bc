package openapi

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Requirement is a set of schemes that a request must satisfy together.
type Requirement []Scheme

// Scheme is one way to authenticate.
type Scheme struct {
	Key         string // name in the description
	Type        string // "bearer", "basic", "apiKey", "oauth2", "openIdConnect", "http", "mutualTLS"
	Name, In    string // apiKey: the parameter and its location; other types: the header that carries the credential
	Description string
	Format      string // bearerFormat
	Default     string // x-default
	Scopes      []string
	TokenURLs   []string // oauth2: token URLs
	Flows       []Flow   // oauth2: the flows in source order
	Prefix      string   // text before the value in the header: "Bearer "
}

// security decodes the requirements of the operation, or those of the description if the operation has none.
func (s *Spec) security(raw *jsontree.Value) (out []Requirement, optional bool) {
	list := raw.Get("security")
	if list == nil {
		list = s.root.Get("security")
	}
	for _, alt := range items(list) {
		var req Requirement
		for _, m := range members(alt) {
			if scheme, ok := s.scheme(m.Key); ok {
				scheme.Scopes = m.Value.Texts()
				req = append(req, scheme)
			}
		}
		if len(members(alt)) == 0 {
			optional = true
		}
		if len(req) > 0 {
			out = append(out, req)
		}
	}
	return out, optional
}

func (s *Spec) scheme(key string) (Scheme, bool) {
	all := s.root.Get("components").Get("securitySchemes")
	if s.swagger {
		all = s.root.Get("securityDefinitions")
	}
	raw := s.target(all.Get(key))
	if raw == nil {
		return Scheme{}, false
	}
	out := Scheme{
		Key: key, Type: raw.Get("type").Text(), Name: raw.Get("name").Text(), In: raw.Get("in").
			Text(), Description: raw.Get("description").Text(),
		Format: raw.Get("bearerFormat").Text(), Default: raw.Get("x-default").Text(),
	}
	switch kind := strings.ToLower(raw.Get("scheme").Text()); {
	case out.Type == "http" && (kind == "bearer" || kind == "basic"):
		out.Type = kind
	case out.Type == "oauth2":
		out.TokenURLs, out.Flows = tokenURLs(raw), flows(raw)
	}
	out.Prefix = prefix(out.Type, raw.Get("scheme").Text())
	if out.Type != "apiKey" {
		out.Name, out.In = "Authorization", "header"
	}
	return out, true
}

func tokenURLs(raw *jsontree.Value) (out []string) {
	for _, m := range members(raw.Get("flows")) {
		out = append(out, m.Value.Get("tokenUrl").Texts()...)
	}
	return append(out, raw.Get("tokenUrl").Texts()...) // Swagger 2.0
}
