package docsjson

// This file contains the table for mint.json, including the keys that cannot be converted to docs.json. Values are
// checked after the conversion.

// anything returns the shape of a value that is checked elsewhere.
func anything() *shape { return &shape{free: true} }

// anyOf returns the shape of an object with these keys. Their values are checked elsewhere.
func anyOf(names ...string) *shape {
	s := object()
	for _, n := range names {
		s.keys = append(s.keys, key{name: n, shape: anything()})
	}
	return s
}

const whyLook = "the theme decides it"

func legacyShape() *shape {
	s := anyOf("$schema", "name", "description", "logo", "favicon", "theme", "backgroundImage", "navigation", "openapi",
		"asyncapi",
		"footerSocials", "redirects", "metadata", "analytics", "integrations", "feedback", "customCSS", "customJS")
	s.keys = append(s.keys,
		key{name: "colors", shape: anyOf("primary", "light", "dark", "background", "anchors").
			with(idleKeys(whyLook, "ultraLight", "ultraDark")...)},
		key{name: "background", shape: anyOf("style", "decoration", "image", "color")},
		key{name: "font", shape: anyOf("family", "weight", "url", "format", "headings", "body")},
		key{name: "modeToggle", shape: anyOf("default", "isHidden")},
		key{name: "codeBlock", shape: object(key{name: "mode", shape: word("dark", "auto")})},
		key{name: "eyebrow", shape: anyOf("display")},
		key{name: "topbarLinks", shape: listOf(legacyLink())},
		key{name: "topbarCtaButton", shape: legacyLink()},
		key{name: "footer", shape: anyOf("socials", "links")},
		key{name: "tabs", shape: listOf(legacyPart("name", "url", "version"))},
		key{name: "anchors", shape: listOf(legacyPart("name", "url", "icon", "iconType", "color", "version"))},
		key{name: "primaryTab", shape: legacyPart("name")},
		key{name: "topAnchor", shape: anyOf("name", "icon", "iconType").with(idleKeys(whyLook, "color")...)},
		key{name: "versions", shape: listOf(text().or(anyOf("name", "url", "locale", "default")))},
		key{name: "search", shape: anyOf("prompt").with(idleKeys(whyLook, "location")...)},
		key{name: "seo", shape: anyOf("indexHiddenPages", "indexing", "metatags", "organization", "trailingSlash")},
		key{name: "api", shape: legacyAPI()},
	)
	s.keys = append(s.keys, idleKeys(whyLook, "layout", "sidebar", "rounded", "topbar")...)
	s.keys = append(s.keys, key{name: "isWhiteLabeled", idle: "pages have no platform branding"})
	for _, k := range siteShape().keys { // keys of docs.json in an older file
		if k.idle == "" && s.find(k.name) == nil {
			s.keys = append(s.keys, key{name: k.name, shape: anything()})
		}
	}
	return s
}

// with adds keys to the shape and returns it.
func (s *shape) with(more ...key) *shape {
	s.keys = append(s.keys, more...)
	return s
}

func idleKeys(why string, names ...string) (out []key) {
	for _, n := range names {
		out = append(out, key{name: n, idle: why})
	}
	return out
}

func legacyLink() *shape {
	return anyOf("name", "label", "url", "href", "type", "icon").with(idleKeys(whyLook, "style", "arrow")...)
}

func legacyPart(names ...string) *shape {
	return anyOf(names...).with(idleKeys("all tabs and anchors are shown", "isDefaultHidden")...)
}

func legacyAPI() *shape {
	return anyOf("baseUrl", "openapi", "asyncapi", "params", "url", "examples", "mdx").with(
		key{name: "auth", shape: anyOf("method", "name").
			with(idleKeys("readers enter the whole value", "inputPrefix")...)},
		key{name: "playground", shape: anyOf("mode", "display", "disableProxy", "proxy", "credentials")},
		key{name: "paramFields", shape: anyOf("expanded")},
		key{name: "request", shape: object(key{name: "example", shape: anyOf("languages", "showOptionalParams")})},
		key{name: "maintainOrder", idle: "the order in the API description is used"},
	)
}

// newer reports whether a key of docs.json has the same meaning in mint.json. If so, its shape is used there too.
func (s *shape) newer(name string) bool {
	switch name {
	case "$schema", "theme", "colors", "background", "footer", "search", "seo", "api", "metadata", "integrations",
		"navigation",
		"customCSS", "customJS":
		return false
	}
	k := s.find(name)
	return k != nil && k.shape != nil
}

// siteAPIKey reports whether an older file may use this key of the object "api" from docs.json.
func siteAPIKey(name string) bool {
	switch name {
	case "openapi", "asyncapi", "params", "url", "examples", "mdx":
		return true
	}
	return false
}
