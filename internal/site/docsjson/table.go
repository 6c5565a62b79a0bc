package docsjson

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// The table files define every key of docs.json: which values it may have, and where they are stored. A key with an
// idle reason is known, but has no effect.

// siteShape returns the shape of the whole file, for callers that do not decode the file. Values that its setters store
// are discarded.
func siteShape() *shape { return (&decoder{cfg: &Config{}, list: &diag.List{}}).shape() }

// shape returns the shape of the whole file. Its setters store into d.cfg.
func (d *decoder) shape() *shape {
	c := d.cfg
	keys := slices.Concat(lookKeys(c), d.chromeKeys(&c.Chrome), d.searchKeys(), olderKeys(), []key{
		{name: "$schema", idle: "only editors use it", quiet: true},
		{name: "contextual", shape: contextualShape(&c.Menu)},
		d.redirectsKey(&c.Redirects),
		textMapKey("variables", &c.Variables, scalar()),
		{name: "metadata", shape: &shape{kinds: object().kinds, keys: []key{flagKey("timestamp", &c.Timestamps)},
			rest: &key{idle: "use seo.metatags for elements of the page head"}}},
		objectKey("errors", objectKey("404", flagKey("redirect", &c.NotFound.Redirect),
			textKey("title", &c.NotFound.Title), textKey("description", &c.NotFound.Description))),
		{name: "api", shape: apiShape(c)},
		d.gitVersionsKey(&c.GitVersions),
		objectKey("integrations", integrationKeys(c)...),
		objectKey("security", objectKey("allow", d.allowKeys()...)),
		objectKey("feedback", inverseKey("thumbsRating", &c.NoThumbs),
			askedKey("suggestEdit", &c.SuggestEdit), askedKey("raiseIssue", &c.RaiseIssue)),
		{name: "assistant", idle: "the operator of the server configures the assistant"},
		d.navigationKey(), // last, because languages inherit the frame around pages
	})
	return object(keys...).needing("", "name", "navigation")
}

func (d *decoder) redirectsKey(to *[]site.Redirect) key {
	r := site.Redirect{Permanent: true}
	item := object(textKey("source", &r.Source), textKey("destination", &r.Destination),
		flagKey("permanent", &r.Permanent)).needing("bad-redirect", "source", "destination")
	return key{name: "redirects", shape: listOf(item), set: eachObject(&r, item, func(v *jsontree.Value) {
		if r.Source == "" || r.Destination == "" {
			d.list.Warnf(v.Pos(), "bad-redirect", `A redirect needs "source" and "destination".`)
			return
		}
		r.Pos = v.Pos()
		*to = append(*to, r)
	})}
}

// askedKey returns a key for a setting that some builds cannot apply.
func askedKey(name string, to *site.Asked) key {
	return key{name: name, shape: boolean(), set: func(v *jsontree.Value) {
		if v.True() {
			*to = site.Asked{On: true, Pos: v.Pos()}
		}
	}}
}

// olderKeys returns keys of mint.json that authors have left in docs.json. They have no effect there.
func olderKeys() []key {
	const whyOlder = "it belongs to the older mint.json; "
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
