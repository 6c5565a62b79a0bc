package openapi

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// styles returns the possible encodings of lists and objects for a parameter in a given location, the default first.
func styles(in string) []string {
	switch in {
	case "path":
		return []string{"simple", "label", "matrix"}
	case "query":
		return []string{"form", "spaceDelimited", "pipeDelimited", "deepObject"}
	case "cookie":
		return []string{"form"}
	}
	return []string{"simple"}
}

// style decodes the encoding of a parameter. If the style is invalid for the location, it returns the default.
func style(in string, raw *jsontree.Value) (style string, explode bool) {
	style = raw.Get("style").Text()
	if known := styles(in); !slices.Contains(known, style) {
		style = known[0]
	}
	if e := raw.Get("explode"); e.Is(jsontree.Bool) {
		return style, e.True()
	}
	return style, style == "form"
}

// collection decodes the encoding of a list in Swagger 2.0. OpenAPI 3 has no name for values separated by tabs; commas
// are used instead, because most servers accept them.
func collection(in string, raw *jsontree.Value) (style string, explode bool) {
	style = styles(in)[0]
	if in == "query" || in == "formData" {
		style = "form"
		switch raw.Get("collectionFormat").Text() {
		case "multi":
			explode = true
		case "ssv":
			style = "spaceDelimited"
		case "pipes":
			style = "pipeDelimited"
		}
	}
	return style, explode
}

// Encoding is the encoding of one form property.
type Encoding struct {
	Property    string
	ContentType string // "" = determined by the schema
	Style       string // "" = the default for forms: lists as several fields
	Explode     bool   // used with Style
	Reserved    bool
}

func encodings(raw *jsontree.Value) (out []Encoding) {
	for _, m := range members(raw) {
		e := Encoding{Property: m.Key, ContentType: m.Value.Get("contentType").Text(),
			Reserved: m.Value.Get("allowReserved").True()}
		if m.Value.Get("style") != nil || m.Value.Get("explode") != nil {
			e.Style, e.Explode = style("query", m.Value)
		}
		out = append(out, e)
	}
	return out
}

// formEncoding converts the encoding of lists in a Swagger 2.0 form to an OpenAPI 3 "encoding" object.
func formEncoding(form *jsontree.Value) *jsontree.Value {
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, m := range form.Members {
		if m.Value.Get("type").Text() != "array" {
			continue
		}
		style, explode := collection("formData", m.Value)
		word := map[bool]string{true: "true", false: "false"}[explode]
		out.Set(pair(m.Key, jsontree.NewObject(pair("style", jsontree.NewString(style)),
			pair("explode", &jsontree.Value{Kind: jsontree.Bool, Str: word}))))
	}
	return out
}

// Flow is an OAuth 2.0 flow.
type Flow struct {
	Kind                                   string // "clientCredentials", "password", "authorizationCode", "implicit"
	TokenURL, AuthorizationURL, RefreshURL string // as written
	Scopes                                 []Scope
}

// Scope is a permission that a token may have.
type Scope struct{ Name, Note string }

// flows decodes the flows of a scheme, in source order. Swagger 2.0 has only one flow, under an older name.
func flows(raw *jsontree.Value) (out []Flow) {
	for _, m := range members(raw.Get("flows")) {
		if !strings.HasPrefix(m.Key, "x-") {
			out = append(out, flow(m.Key, m.Value))
		}
	}
	kind := raw.Get("flow").Text()
	switch kind {
	case "":
		return out
	case "application":
		kind = "clientCredentials"
	case "accessCode":
		kind = "authorizationCode"
	}
	return append(out, flow(kind, raw))
}

func flow(kind string, raw *jsontree.Value) Flow {
	f := Flow{
		Kind: kind, TokenURL: strings.TrimSpace(raw.Get("tokenUrl").Text()),
		AuthorizationURL: strings.TrimSpace(raw.Get("authorizationUrl").Text()),
		RefreshURL:       strings.TrimSpace(raw.Get("refreshUrl").Text()),
	}
	for _, m := range members(raw.Get("scopes")) {
		if !strings.HasPrefix(m.Key, "x-") {
			f.Scopes = append(f.Scopes, Scope{m.Key, oneLine(m.Value.Text())})
		}
	}
	return f
}

// prefix returns the text before a credential in the Authorization header.
func prefix(kind, scheme string) string {
	switch kind {
	case "bearer", "oauth2", "openIdConnect":
		return "Bearer "
	case "basic":
		return "Basic "
	case "http":
		if scheme = strings.TrimSpace(scheme); scheme != "" {
			return strings.ToUpper(scheme[:1]) + scheme[1:] + " "
		}
	}
	return ""
}
