package docsjson

import (
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for API descriptions and the pages about them.

func apiShape(c *Config) *shape {
	api := &c.API
	auth := func() key {
		return objectKey("auth", wordKey("method", &api.AuthMethod, "bearer", "basic", "key", "cobo", "none"),
			textKey("name", &api.AuthName))
	}
	return object(append(sourceKeys(&c.Specs.Sources),
		objectKey("playground",
			wordKey("display", &api.Playground, "interactive", "simple", "none", "auth"),
			inverseKey("proxy", &api.NoProxy), flagKey("credentials", &api.Credentials)),
		objectKey("params",
			key{name: "expanded", shape: word("all", "closed"), set: setEqual(&api.Expanded, "all")},
			textsKey("post", &api.Pills)),
		key{name: "url", shape: word("full"), set: setEqual(&api.FullURL, "full")},
		objectKey("examples",
			textsKey("languages", &api.Languages),
			key{name: "defaults", shape: word("required", "all"), set: setEqual(&api.RequiredOnly, "required")},
			inverseKey("autogenerate", &api.NoSamples),
			key{name: "prefill", idle: "playground forms are prefilled from the API description"}),
		objectKey("mdx", textsKey("server", &api.Servers), auth()),
		// the older form: its servers are appended, and its auth takes precedence
		textsKey("baseUrl", &api.Servers), auth())...)
}

// sourceKeys returns the keys that name API descriptions: a path, a list of paths, or {source, directory}.
func sourceKeys(to *[]site.Source) []key {
	source := func(name string) key {
		var one site.Source
		s := texts().or(object(textsKey("source", &one.Files), textKey("directory", &one.Directory)).
			needing("", "source"))
		return key{name: name, shape: s, set: func(v *jsontree.Value) {
			one = site.Source{Files: v.Texts(), Async: name == "asyncapi", Pos: v.Pos()}
			if store(v, s); len(one.Files) > 0 {
				*to = append(*to, one)
			}
		}}
	}
	return []key{source("openapi"), source("asyncapi")}
}
