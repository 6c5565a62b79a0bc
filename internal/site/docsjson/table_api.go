package docsjson

func apiShape() *shape {
	auth := func() *shape {
		return object(key{name: "method", shape: word("bearer", "basic", "key", "cobo", "none")},
			key{name: "name", shape: text()})
	}
	return object(
		key{name: "openapi", shape: sourceShape()},
		key{name: "asyncapi", shape: sourceShape()},
		key{name: "playground", shape: object(
			key{name: "display", shape: word("interactive", "simple", "none", "auth")},
			key{name: "proxy", shape: boolean()}, key{name: "credentials", shape: boolean()})},
		key{name: "params", shape: object(key{name: "expanded", shape: word("all", "closed")},
			key{name: "post", shape: texts()})},
		key{name: "url", shape: word("full")},
		key{name: "examples", shape: object(
			key{name: "languages", shape: texts()}, key{name: "defaults", shape: word("required", "all")},
			key{name: "autogenerate", shape: boolean()},
			key{name: "prefill", idle: "playground forms are prefilled from the API description"})},
		key{name: "mdx", shape: object(key{name: "server", shape: texts()}, key{name: "auth", shape: auth()})},
		key{name: "baseUrl", shape: texts()},
		key{name: "auth", shape: auth()},
	)
}

// sourceShape returns the shape of a path, a list of paths, or {source, directory}.
func sourceShape() *shape {
	return texts().or(object(key{name: "source", shape: texts()}, key{name: "directory", shape: text()}).
		needing("", "source"))
}
