package docsjson

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// The table files define every key of docs.json. A key with a reason is known, but has no effect.

// Reasons that several keys share.
const (
	whyOlder     = "it belongs to the older mint.json; "
	whyAssistant = "the operator of the server configures the assistant"
)

// siteShape returns the shape of the whole file, for callers that do not decode it: what it stores is lost.
func siteShape() *shape { return (&decoder{cfg: &Config{}, list: &diag.List{}}).shape() }

// shape returns the shape of the whole file. Its setters store into d.cfg.
func (d *decoder) shape() *shape {
	c := d.cfg
	s := object(append(slices.Concat(lookKeys(c), d.chromeKeys(&c.Chrome)),
		key{name: "$schema", idle: "only editors use it", quiet: true},
		key{name: "contextual", shape: contextualShape(&c.Menu)},
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
		key{name: "api", shape: apiShape(c)},
		key{name: "markdown", shape: object(
			key{name: "schema", shape: boolean()}, key{name: "instructions", shape: texts()})},
		key{name: "seo", shape: seoShape()},
		key{name: "search", shape: object(
			key{name: "prompt", shape: text()}, key{name: "synonyms", shape: synonymsShape()})},
		key{name: "gitVersions", shape: gitVersionsShape()},
		key{name: "integrations", shape: integrationsShape()},
		key{name: "security", shape: object(key{name: "allow", shape: allowShape()})},
		key{name: "feedback", shape: object(
			key{name: "thumbsRating", shape: boolean()},
			key{name: "suggestEdit", shape: boolean()}, key{name: "raiseIssue", shape: boolean()})},
		key{name: "assistant", idle: whyAssistant},
	)...)
	s.keys = append(s.keys, olderKeys()...)
	s.keys = append(s.keys, d.navigationKey()) // last, because languages inherit the frame around pages
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
