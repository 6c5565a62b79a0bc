package apipage

import (
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

type planServer struct {
	URL         string         `json:"url"`
	Description string         `json:"description,omitempty"`
	Variables   []planVariable `json:"variables,omitempty"`
}

type planVariable struct {
	Name        string   `json:"name"`
	Default     string   `json:"default,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Description string   `json:"description,omitempty"`
}

type planScheme struct {
	Key         string              `json:"key,omitempty"`
	Type        string              `json:"type"`
	In          string              `json:"in,omitempty"`
	Name        string              `json:"name,omitempty"`
	Prefix      string              `json:"prefix,omitempty"`
	Description string              `json:"description,omitempty"`
	Scopes      []string            `json:"scopes,omitempty"`
	Default     string              `json:"default,omitempty"`
	Flows       map[string]planFlow `json:"flows,omitempty"`
}

type planFlow struct {
	TokenURL         string            `json:"tokenUrl,omitempty"`
	AuthorizationURL string            `json:"authorizationUrl,omitempty"`
	Scopes           map[string]string `json:"scopes,omitempty"`
}

// Limits for servers and credentials in a plan.
const (
	schemeMax   = 10  // alternatives, and schemes of each alternative
	scopeMax    = 50  // of each flow
	variableMax = 20  // of each server
	valueMax    = 100 // of each variable
	urlMax      = 500 // bytes of a URL
)

func (t thrift) servers(list []openapi.Server) []planServer {
	out := []planServer{}
	for _, s := range list {
		if len(s.URL) > urlMax {
			continue
		}
		one := planServer{URL: s.URL, Description: t.text(s.Description)}
		for _, v := range s.Variables[:min(len(s.Variables), variableMax)] {
			if len(v.Name) > nameMax || len(v.Default) > nameMax {
				continue
			}
			own := planVariable{Name: v.Name, Default: v.Default, Description: t.text(v.Description)}
			for _, e := range v.Enum {
				if len(e) <= nameMax && len(own.Enum) < min(valueMax, t.enum) {
					own.Enum = append(own.Enum, e)
				}
			}
			if len(v.Enum) > 0 && len(own.Enum) == 0 && v.Default != "" {
				own.Enum = []string{v.Default} // if not all values fit, do not permit free text instead
			}
			one.Variables = append(one.Variables, own)
		}
		out = append(out, one)
	}
	return out
}

func (t thrift) security(list []openapi.Requirement) (out [][]planScheme) {
	for _, req := range list[:min(len(list), schemeMax)] {
		var one []planScheme
		for _, s := range req[:min(len(req), schemeMax)] {
			one = append(one, t.scheme(s))
		}
		out = append(out, one)
	}
	return out
}

func (t thrift) scheme(s openapi.Scheme) planScheme {
	out := planScheme{
		Key: clip.Bytes(s.Key, nameMax), Type: clip.Bytes(s.Type, nameMax), In: clip.Bytes(s.In, nameMax),
		Name: clip.Bytes(s.Name, nameMax), Prefix: clip.Bytes(s.Prefix, nameMax),
		Description: t.text(s.Description), Default: clip.Bytes(s.Default, urlMax),
	}
	for _, scope := range s.Scopes[:min(len(s.Scopes), scopeMax)] {
		out.Scopes = append(out.Scopes, clip.Bytes(scope, nameMax))
	}
	for _, f := range s.Flows {
		if len(f.Kind) <= nameMax && len(out.Flows) < schemeMax {
			out.flow(f, t)
		}
	}
	return out
}

func (s *planScheme) flow(f openapi.Flow, t thrift) {
	one := planFlow{Scopes: map[string]string{}}
	if len(f.TokenURL) <= urlMax {
		one.TokenURL = f.TokenURL
	}
	if len(f.AuthorizationURL) <= urlMax {
		one.AuthorizationURL = f.AuthorizationURL
	}
	for _, scope := range f.Scopes {
		if len(scope.Name) <= nameMax && len(one.Scopes) < min(scopeMax, t.enum) {
			one.Scopes[scope.Name] = t.text(scope.Note)
		}
	}
	if s.Flows == nil {
		s.Flows = map[string]planFlow{}
	}
	s.Flows[f.Kind] = one
}
