package openapi

import "strings"

// Requirement is a set of schemes that are needed together.
type Requirement []Scheme

// Scheme is one way to prove who calls.
type Scheme struct {
	Key         string // its name in the description
	Type        string // "bearer", "basic", "apiKey", "oauth2", "openIdConnect", "http", "mutualTLS"
	Name, In    string // apiKey: the parameter and its place; for others the header they use
	Description string
	Format      string // bearerFormat
	Default     string // x-default
	Scopes      []string
	Flows       []Flow
}

// Flow is one way to get an OAuth 2.0 token.
type Flow struct{ Kind, AuthorizationURL, TokenURL string }

// security reads what the operation needs: its own list, or the description's.
func (s *Spec) security(raw *Value) (out []Requirement, optional bool) {
	list := raw.Get("security")
	if list == nil {
		list = s.root.Get("security")
	}
	for _, alt := range items(list) {
		var req Requirement
		for _, m := range members(alt) {
			if scheme, ok := s.scheme(m.Key); ok {
				scheme.Scopes = m.Value.texts()
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
		Key: key, Type: raw.Get("type").Text(), Name: raw.Get("name").Text(), In: raw.Get("in").Text(), Description: raw.Get("description").Text(),
		Format: raw.Get("bearerFormat").Text(), Default: raw.Get("x-default").Text(),
	}
	switch kind := strings.ToLower(raw.Get("scheme").Text()); {
	case out.Type == "http" && (kind == "bearer" || kind == "basic"):
		out.Type = kind
	case out.Type == "oauth2":
		out.Flows = flows(raw)
	}
	if out.Type != "apiKey" {
		out.Name, out.In = "Authorization", "header"
	}
	return out, true
}

func flows(raw *Value) (out []Flow) {
	for _, m := range members(raw.Get("flows")) {
		out = append(out, Flow{m.Key, m.Value.Get("authorizationUrl").Text(), m.Value.Get("tokenUrl").Text()})
	}
	if f := raw.Get("flow").Text(); f != "" { // Swagger 2.0
		out = append(out, Flow{f, raw.Get("authorizationUrl").Text(), raw.Get("tokenUrl").Text()})
	}
	return out
}
