package docsjson

import (
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file reads the settings of API descriptions.

// Specs holds the API descriptions that the site file names, for package load.
type Specs struct {
	Sources []site.Source // api.openapi and api.asyncapi: operations are looked up there; they create no pages
	Root    []site.Source // set on the navigation itself
}

func (d *decoder) api(v *jsontree.Value) {
	d.cfg.Specs.Sources = d.sources(v)
	look := &d.cfg.API
	playground := v.Get("playground")
	textTo(playground.Get("display"), &look.Playground)
	if proxy := playground.Get("proxy"); proxy.Is(jsontree.Bool) {
		look.NoProxy = !proxy.True()
	}
	look.Credentials = playground.Get("credentials").True()
	look.Expanded = v.Get("params").Get("expanded").Text() == "all"
	look.Pills = v.Get("params").Get("post").Texts()
	look.FullURL = v.Get("url").Text() == "full"
	examples := v.Get("examples")
	look.Languages = examples.Get("languages").Texts()
	look.RequiredOnly = examples.Get("defaults").Text() == "required"
	if auto := examples.Get("autogenerate"); auto.Is(jsontree.Bool) {
		look.NoSamples = !auto.True()
	}
	// the latter is the older form
	look.Servers = append(v.Get("mdx").Get("server").Texts(), v.Get("baseUrl").Texts()...)
	for _, auth := range []*jsontree.Value{v.Get("mdx").Get("auth"), v.Get("auth")} {
		textTo(auth.Get("method"), &look.AuthMethod)
		textTo(auth.Get("name"), &look.AuthName)
	}
}

// sources returns the descriptions that an object names.
func (d *decoder) sources(v *jsontree.Value) (out []site.Source) {
	for _, key := range []string{"openapi", "asyncapi"} {
		if s, ok := source(v.Get(key), key == "asyncapi"); ok {
			out = append(out, s)
		}
	}
	return out
}

// source reads a path, a list of paths, or {source, directory}.
func source(v *jsontree.Value, async bool) (s site.Source, ok bool) {
	if v == nil {
		return s, false
	}
	s = site.Source{Async: async, Pos: v.Pos()}
	if v.Kind == jsontree.Object {
		s.Files = v.Get("source").Texts()
		textTo(v.Get("directory"), &s.Directory)
	} else {
		s.Files = v.Texts()
	}
	return s, len(s.Files) > 0
}
