package docsjson

import "github.com/lectern-docs/lectern/internal/foundation/lazyregexp"

// The table files define every key of docs.json. A key with a reason is known, but has no effect.

// themes returns the names of themes. All are variants of one design.
func themes() []string {
	return []string{"mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"}
}

// Reasons that several keys share.
const (
	whyOlder     = "it belongs to the older mint.json; "
	whyAssistant = "the operator of the server configures the assistant"
)

// siteShape returns the shape of the whole file.
func siteShape() *shape {
	nav := navigationShape()
	s := object(
		key{name: "$schema", idle: "only editors use it", quiet: true},
		key{name: "name", shape: text()},
		key{name: "description", shape: text()},
		key{name: "theme", shape: word(themes()...)},
		key{name: "colors", shape: object(
			key{name: "primary", shape: color()}, key{name: "light", shape: color()},
			key{name: "dark", shape: color()}).needing("", "primary")},
		key{name: "logo", shape: text().or(object(
			key{name: "light", shape: text()}, key{name: "dark", shape: text()}, key{name: "href", shape: text()}))},
		key{name: "favicon", shape: pairOf(text())},
		key{name: "appearance", shape: object(
			key{name: "default", shape: word("system", "light", "dark")}, key{name: "strict", shape: boolean()})},
		key{name: "fonts", shape: fontsShape()},
		key{name: "icons", shape: object(key{name: "library", shape: word("fontawesome", "lucide", "tabler")})},
		key{name: "background", shape: object(
			key{name: "decoration", shape: word("gradient", "grid", "windows")},
			key{name: "color", shape: pairOf(color())},
			key{name: "image", shape: pairOf(text())})},
		key{name: "styling", shape: stylingShape()},
		key{name: "thumbnails", shape: object(
			key{name: "appearance", shape: word("light", "dark")}, key{name: "background", shape: text()},
			key{name: "fonts", shape: object(key{name: "family", shape: text()})})},
		key{name: "navbar", shape: navbarShape()},
		key{name: "footer", shape: footerShape()},
		key{name: "banner", shape: bannerShape()},
		key{name: "interaction", shape: object(key{name: "drilldown", shape: boolean()})},
		key{name: "contextual", shape: contextualShape()},
		key{name: "redirects", shape: listOf(object(
			key{name: "source", shape: text()}, key{name: "destination", shape: text()},
			key{name: "permanent", shape: boolean()},
		).needing("bad-redirect", "source", "destination"))},
		key{name: "variables", shape: open(scalar())},
		key{name: "metadata", shape: &shape{kinds: object().kinds, keys: []key{{name: "timestamp", shape: boolean()}},
			rest: &key{idle: "use seo.metatags for elements of the page head"}}},
		key{name: "errors", shape: object(key{name: "404", shape: object(
			key{name: "redirect", shape: boolean()},
			key{name: "title", shape: text()}, key{name: "description", shape: text()})})},
		key{name: "api", shape: apiShape()},
		key{name: "markdown", shape: object(
			key{name: "schema", shape: boolean()}, key{name: "instructions", shape: texts()})},
		key{name: "seo", shape: seoShape()},
		key{name: "search", shape: object(
			key{name: "prompt", shape: text()}, key{name: "synonyms", shape: synonymsShape()})},
		key{name: "navigation", shape: nav},
		key{name: "gitVersions", shape: gitVersionsShape()},
		key{name: "custom", shape: object(key{name: "css", shape: texts()}, key{name: "js", shape: texts()})},
		key{name: "customCSS", shape: texts()},
		key{name: "customJS", shape: texts()},
		key{name: "integrations", shape: integrationsShape()},
		key{name: "security", shape: object(key{name: "allow", shape: allowShape()})},
		key{name: "feedback", shape: object(
			key{name: "thumbsRating", shape: boolean()},
			key{name: "suggestEdit", shape: boolean()}, key{name: "raiseIssue", shape: boolean()})},
		key{name: "assistant", idle: whyAssistant},
	)
	s.keys = append(s.keys, olderKeys()...)
	s.needs = []string{"name", "navigation"}
	return s
}

// olderKeys returns keys of mint.json that authors leave in docs.json, where they have no effect.
func olderKeys() []key {
	return []key{
		{name: "topbarLinks", idle: whyOlder + "write navbar.links"},
		{name: "topbarCtaButton", idle: whyOlder + "write navbar.primary"},
		{name: "footerSocials", idle: whyOlder + "write footer.socials"},
		{name: "modeToggle", idle: whyOlder + "write appearance"},
		{name: "anchors", idle: whyOlder + "write navigation.global.anchors"},
		{name: "tabs", idle: whyOlder + "write navigation.tabs"},
		{name: "versions", idle: whyOlder + "write navigation.versions"},
		{name: "primaryTab", idle: whyOlder + "write navigation.tabs"},
		{name: "topAnchor", idle: whyOlder + "write navigation.anchors"},
		{name: "analytics", idle: whyOlder + "write integrations"},
		{name: "openapi", idle: whyOlder + "write api.openapi"},
		{name: "font", idle: whyOlder + "write fonts"},
		{name: "backgroundImage", idle: whyOlder + "write background.image"},
		{name: "codeBlock", idle: whyOlder + "write styling.codeblocks"},
		{name: "eyebrow", idle: whyOlder + "write styling.eyebrows"},
	}
}

// open returns the shape of an object whose keys the author chooses.
func open(value *shape) *shape {
	s := object()
	s.rest = &key{shape: value}
	return s
}

// synonymsShape returns the shape of a list of groups of words and phrases that mean the same.
func synonymsShape() *shape {
	one := text()
	one.form = &form{match: searchPhrase, code: "bad-value", want: "a word or phrase of 1 to 80 characters"}
	group, all := listOf(one), listOf(nil)
	group.most, all.item, all.most = 20, group, 500
	return all
}

var searchPhrase = lazyregexp.New(`^.{1,80}$`)

func fontsShape() *shape {
	one := func() []key {
		return []key{
			{name: "family", shape: text()}, {name: "weight", shape: number()}, {name: "source", shape: text()},
			{name: "format", shape: word("woff", "woff2")},
		}
	}
	all := append(one(), key{name: "heading", shape: object(one()...)}, key{name: "body", shape: object(one()...)})
	return object(all...)
}

func stylingShape() *shape {
	return object(
		key{name: "eyebrows", shape: word("section", "breadcrumbs")},
		key{name: "latex", shape: boolean()},
		key{name: "responsiveImages", shape: boolean()},
		key{name: "codeblocks", shape: text().or(object(
			key{name: "theme", shape: pairOf(text())},
			key{name: "languages", shape: object(
				key{name: "custom",
					idle: "TextMate grammars are not supported; code in those languages is not highlighted",
					hint: "Use a similar, supported language in the code fence, such as js or c."})}))},
		key{name: "css", shape: texts()},
	)
}

func seoShape() *shape {
	return object(
		key{name: "indexing", shape: word("navigable", "all")},
		key{name: "indexHiddenPages", shape: boolean()},
		key{name: "metatags", shape: open(scalar())},
		key{name: "organization", shape: object(
			key{name: "id", shape: text()}, key{name: "name", shape: text()}, key{name: "legalName", shape: text()},
			key{name: "url", shape: text()}, key{name: "logo", shape: text()}, key{name: "sameAs", shape: texts()})},
		key{name: "trailingSlash", shape: boolean()},
	)
}
