package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// manual returns the detail of a page that documents its operation itself: servers and authentication.
func manual(ref *site.APIRef, look site.API) *openapi.Detail {
	d := &openapi.Detail{}
	if !openapi.Remote(ref.Path) {
		for _, url := range look.Servers {
			d.Servers = append(d.Servers, openapi.Server{URL: strings.TrimSuffix(url, "/")})
		}
	}
	kind := ref.Auth
	if kind == "" {
		kind = look.AuthMethod
	}
	scheme := openapi.Scheme{Type: kind, Name: "Authorization", In: "header"}
	switch kind {
	case "bearer":
		scheme.Prefix = "Bearer "
	case "basic":
		scheme.Prefix = "Basic "
	case "key", "cobo":
		scheme.Type, scheme.Name = "apiKey", look.AuthName
		if scheme.Name == "" {
			scheme.Name = "x-api-key"
		}
	default:
		return d
	}
	d.Security = []openapi.Requirement{{scheme}}
	return d
}

// security writes the authentication section. It lists alternatives separately.
func (p *Page) security(w *component.Writer, d *openapi.Detail) {
	if len(d.Security) == 0 {
		return
	}
	heading(w, "Authorizations", "")
	for i, req := range d.Security {
		if i > 0 {
			w.Raw(`<p class="api-or"><span>or</span></p>`)
		}
		for _, s := range req {
			p.scheme(w, s, !d.Optional)
		}
	}
}

func (p *Page) scheme(w *component.Writer, s openapi.Scheme, required bool) {
	schema := &openapi.Schema{Base: "string"}
	if s.Default != "" {
		schema.Default = jsontree.NewString(s.Default)
	}
	p.field(w, field{name: s.Name, id: "authorization-" + dashed(s.Name), place: s.In, required: required,
		note: schemeNote(s), schema: schema})
}

// schemeNote returns the description of a scheme as Markdown.
func schemeNote(s openapi.Scheme) string {
	note := s.Description
	if note == "" {
		note = explain(s)
	}
	if len(s.Scopes) > 0 {
		note += "\n\nScopes: `" + strings.Join(s.Scopes, "`, `") + "`."
	}
	for _, url := range s.TokenURLs {
		note += "\n\nTokens come from `" + url + "`."
	}
	return note
}

// explain describes how a scheme is used. It is the fallback for schemes without a description.
func explain(s openapi.Scheme) string {
	switch s.Type {
	case "bearer":
		return "A token, sent as `Authorization: Bearer <token>`."
	case "basic":
		return "User name and password, joined by a colon and encoded as Base64, sent as `Authorization: Basic <credentials>`."
	case "apiKey":
		return "An API key."
	case "oauth2", "openIdConnect":
		return "An OAuth 2.0 access token, sent as `Authorization: Bearer <token>`."
	case "mutualTLS":
		return "A client certificate."
	}
	return ""
}
