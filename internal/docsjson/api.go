package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file reads what concerns API descriptions.

// Specs are the API descriptions that the site file names, for scan.
type Specs struct {
	Sources []site.Source // api.openapi and api.asyncapi: where operations are looked for; they make no pages
	Root    []site.Source // on navigation itself
}

func (d *decoder) api(v *jsontree.Value) {
	if !d.is("api", v, jsontree.Object) {
		return
	}
	d.apiSources(v, "api.")
	look := &d.cfg.API
	if p := v.Get("playground"); d.is("api.playground", p, jsontree.Object) {
		d.word("api.playground.display", p.Get("display"), &look.Playground, "interactive", "simple", "none", "auth")
	}
	if p := v.Get("params"); d.is("api.params", p, jsontree.Object) {
		var expanded string
		d.word("api.params.expanded", p.Get("expanded"), &expanded, "all", "closed")
		look.Expanded = expanded == "all"
		look.Pills = p.Get("post").Texts()
	}
	if u := v.Get("url"); u != nil {
		look.FullURL = u.Str == "full"
	}
	if e := v.Get("examples"); d.is("api.examples", e, jsontree.Object) {
		look.Languages = e.Get("languages").Texts()
		var defaults string
		d.word("api.examples.defaults", e.Get("defaults"), &defaults, "required", "all")
		look.RequiredOnly = defaults == "required"
		auto := e.Get("autogenerate")
		look.NoSamples = auto.Is(jsontree.Bool) && !auto.True()
	}
	if m := v.Get("mdx"); d.is("api.mdx", m, jsontree.Object) {
		look.Servers = m.Get("server").Texts()
		d.apiAuth(m.Get("auth"))
	}
	look.Servers = append(look.Servers, v.Get("baseUrl").Texts()...) // the older form
	d.apiAuth(v.Get("auth"))
}

func (d *decoder) apiAuth(v *jsontree.Value) {
	if !d.is("api.mdx.auth", v, jsontree.Object) {
		return
	}
	look := &d.cfg.API
	d.word("api.mdx.auth.method", v.Get("method"), &look.AuthMethod, "bearer", "basic", "key", "cobo", "none")
	d.text("api.mdx.auth.name", v.Get("name"), &look.AuthName)
}

// apiSources adds the descriptions that operations are looked for in.
func (d *decoder) apiSources(v *jsontree.Value, prefix string) {
	for _, key := range []string{"openapi", "asyncapi"} {
		if s, ok := d.source(prefix+key, v.Get(key), key == "asyncapi"); ok {
			d.cfg.Specs.Sources = append(d.cfg.Specs.Sources, s)
		}
	}
}

// sources are the descriptions named on a navigation entry.
func (d *decoder) sources(v *jsontree.Value) (out []site.Source) {
	for _, key := range []string{"openapi", "asyncapi"} {
		if s, ok := d.source(key, v.Get(key), key == "asyncapi"); ok {
			out = append(out, s)
		}
	}
	return out
}

// source reads a path, a list of paths, or {source, directory}.
func (d *decoder) source(name string, v *jsontree.Value, async bool) (s site.Source, ok bool) {
	if v == nil || v.Kind == jsontree.Null {
		return s, false
	}
	s = site.Source{Async: async, Pos: v.Pos()}
	switch v.Kind {
	case jsontree.String, jsontree.List:
		s.Files = v.Texts()
	case jsontree.Object:
		s.Files = v.Get("source").Texts()
		d.text(name+".directory", v.Get("directory"), &s.Directory)
	default:
		d.list.Warnf(v.Pos(), "wrong-type", "%q must be a path, a list of paths or an object with %q, not %s.", name, "source", v.Kind)
	}
	return s, len(s.Files) > 0
}

// word reads one of a few words.
func (d *decoder) word(name string, v *jsontree.Value, to *string, allowed ...string) {
	if !d.is(name, v, jsontree.String) {
		return
	}
	if slices.Contains(allowed, v.Str) {
		*to = v.Str
		return
	}
	d.list.Warnf(v.Pos(), "bad-value", "%q must be one of %s, not %q.", name, strings.Join(allowed, ", "), v.Str)
}
