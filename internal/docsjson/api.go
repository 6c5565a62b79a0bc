package docsjson

import (
	"github.com/lectern-docs/lectern/internal/site"
)

// This file reads what concerns API descriptions.

// API is the "api" key. Look is what pages need; the rest is for scan.
type API struct {
	Look    site.API
	Sources []site.Source // api.openapi and api.asyncapi: where operations are looked for; they make no pages
	Root    []site.Source // on navigation itself
}

func (d *decoder) api(v *value) {
	if !d.is("api", v, object) {
		return
	}
	a := &d.cfg.API
	d.apiSources(v, "api.")
	look := &a.Look
	if p := v.get("playground"); d.is("api.playground", p, object) {
		d.word("api.playground.display", p.get("display"), &look.Playground, "interactive", "simple", "none", "auth")
	}
	if p := v.get("params"); d.is("api.params", p, object) {
		var expanded string
		d.word("api.params.expanded", p.get("expanded"), &expanded, "all", "closed")
		look.Expanded = expanded == "all"
		look.Pills = texts(p.get("post"))
	}
	if u := v.get("url"); u != nil {
		look.FullURL = u.str == "full"
	}
	if e := v.get("examples"); d.is("api.examples", e, object) {
		look.Languages = texts(e.get("languages"))
		var defaults string
		d.word("api.examples.defaults", e.get("defaults"), &defaults, "required", "all")
		look.RequiredOnly = defaults == "required"
		auto := e.get("autogenerate")
		look.NoSamples = auto != nil && auto.kind == boolean && !auto.truth
	}
	if m := v.get("mdx"); d.is("api.mdx", m, object) {
		look.Servers = texts(m.get("server"))
		d.apiAuth(m.get("auth"))
	}
	look.Servers = append(look.Servers, texts(v.get("baseUrl"))...) // the older form
	d.apiAuth(v.get("auth"))
}

func (d *decoder) apiAuth(v *value) {
	if !d.is("api.mdx.auth", v, object) {
		return
	}
	look := &d.cfg.API.Look
	d.word("api.mdx.auth.method", v.get("method"), &look.AuthMethod, "bearer", "basic", "key", "cobo", "none")
	d.text("api.mdx.auth.name", v.get("name"), &look.AuthName)
}

// apiSources adds the descriptions that operations are looked for in.
func (d *decoder) apiSources(v *value, prefix string) {
	for _, key := range []string{"openapi", "asyncapi"} {
		if s, ok := d.source(prefix+key, v.get(key), key == "asyncapi"); ok {
			d.cfg.API.Sources = append(d.cfg.API.Sources, s)
		}
	}
}

// sources are the descriptions named on a navigation entry.
func (d *decoder) sources(v *value) (out []site.Source) {
	for _, key := range []string{"openapi", "asyncapi"} {
		if s, ok := d.source(key, v.get(key), key == "asyncapi"); ok {
			out = append(out, s)
		}
	}
	return out
}

// source reads a path, a list of paths, or {source, directory}.
func (d *decoder) source(name string, v *value, async bool) (s site.Source, ok bool) {
	if v == nil || v.kind == null {
		return s, false
	}
	s = site.Source{Async: async, Pos: v.pos}
	switch v.kind {
	case text, list:
		s.Files = texts(v)
	case object:
		s.Files = texts(v.get("source"))
		d.text(name+".directory", v.get("directory"), &s.Directory)
	default:
		d.list.Warnf(v.pos, "wrong-type", "%q must be a path, a list of paths or an object with %q, not %s.", name, "source", v.kind)
	}
	return s, len(s.Files) > 0
}

// word reads one of a few words.
func (d *decoder) word(name string, v *value, to *string, allowed ...string) {
	if !d.is(name, v, text) {
		return
	}
	for _, a := range allowed {
		if v.str == a {
			*to = a
			return
		}
	}
	d.list.Warnf(v.pos, "bad-value", "%q must be one of %v, not %q.", name, allowed, v.str)
}

// texts are the texts of a list, or one text as a list of one.
func texts(v *value) (out []string) {
	switch {
	case v == nil:
	case v.kind == text && v.str != "":
		return []string{v.str}
	case v.kind == list:
		for _, item := range v.items {
			if item.kind == text && item.str != "" {
				out = append(out, item.str)
			}
		}
	}
	return out
}
