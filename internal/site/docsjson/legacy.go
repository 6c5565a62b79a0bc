package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// The legacy files convert the tree of mint.json to a tree of docs.json for the decoder. They move values without
// changing them, so that findings still refer to positions in mint.json.

// conversion builds the new tree. The old tree has been validated against legacyShape.
type conversion struct {
	old, out *jsontree.Value
	list     *diag.List
}

func convert(old *jsontree.Value, list *diag.List) *jsontree.Value {
	c := &conversion{old: old, out: object1(old), list: list}
	c.identity()
	c.look()
	c.navigation()
	c.chrome()
	c.api()
	c.rest()
	return c.out
}

// identity converts the name, the logo and similar keys.
func (c *conversion) identity() {
	if s := c.old.Get("$schema"); s.Is(jsontree.String) {
		c.set("$schema", text1(s, strings.Replace(s.Str, "/schema.json", "/docs.json", 1)))
	}
	c.set("theme", c.theme())
	c.move("name", "name")
	c.move("description", "description")
}

// theme returns the new name of the theme. All old themes become the same new theme.
func (c *conversion) theme() *jsontree.Value {
	old := c.old.Get("theme")
	if old.Is(jsontree.String) && old.Str != "prism" && old.Str != "quill" && old.Str != "venus" {
		return old
	}
	c.lost("theme", old, "all older themes have been replaced by one, mint")
	return text1(c.old, "mint")
}

// lost reports that a value has no equivalent in the new tree. It ignores nil.
func (c *conversion) lost(way string, v *jsontree.Value, why string) {
	if v != nil && v.Kind != jsontree.Null {
		c.list.Warnf(v.Pos(), "inapplicable-key", "%q has no effect: %s.", way, why)
	}
}

func (c *conversion) look() {
	for _, k := range []string{"primary", "light", "dark"} {
		c.move("colors."+k, "colors."+k)
	}
	c.move("logo", "logo")
	c.move("favicon", "favicon")
	c.move("modeToggle.default", "appearance.default")
	c.move("modeToggle.isHidden", "appearance.strict")
	c.fonts()
	c.move("background.style", "background.decoration")
	c.move("background.decoration", "background.decoration")
	c.move("background.color", "background.color")
	c.move("background.image", "background.image")
	c.move("colors.background", "background.color")
	c.move("backgroundImage", "background.image")
	if mode := c.old.Get("codeBlock").Get("mode"); mode.Is(jsontree.String) {
		c.set("styling.codeblocks", text1(mode, strings.Replace(mode.Str, "auto", "system", 1)))
	}
	c.move("eyebrow.display", "styling.eyebrows")
	c.move("customCSS", "styling.css")
	c.move("customJS", "custom.js")
}

// fonts converts {family, weight, url} or {headings, body}.
func (c *conversion) fonts() {
	for _, f := range [][2]string{{"font", "fonts"}, {"font.headings", "fonts.heading"}, {"font.body", "fonts.body"}} {
		for _, k := range [][2]string{{"family", "family"}, {"weight", "weight"}, {"url", "source"},
			{"format", "format"}} {
			c.move(f[0]+"."+k[0], f[1]+"."+k[1])
		}
	}
}

func (c *conversion) chrome() {
	if old := c.old.Get("topbarLinks"); old.Is(jsontree.List) {
		c.set("navbar.links", each(old, newLink))
	}
	if old := c.old.Get("topbarCtaButton"); old.Is(jsontree.Object) {
		c.set("navbar.primary", newLink(old))
	}
	footer := c.old.Get("footer")
	for _, old := range []*jsontree.Value{footer.Get("socials"), c.old.Get("footerSocials")} {
		if old != nil {
			c.set("footer.socials", newSocials(old))
		}
	}
	if old := footer.Get("links"); old.Is(jsontree.List) {
		c.set("footer.links", each(old, func(v *jsontree.Value) *jsontree.Value {
			out := object1(v)
			put(out, "header", first(v, "title", "header"))
			if items := first(v, "links", "items"); items.Is(jsontree.List) {
				put(out, "items", each(items, newLink))
			}
			return out
		}))
	}
}

// newLink converts {name, url, type, icon} to {label, href, type, icon}.
func newLink(v *jsontree.Value) *jsontree.Value {
	out := object1(v)
	put(out, "type", v.Get("type"))
	put(out, "label", first(v, "name", "label"))
	put(out, "href", first(v, "url", "href"))
	put(out, "icon", v.Get("icon"))
	return out
}

// newSocials converts [{type, url}] to {type: url}.
func newSocials(v *jsontree.Value) *jsontree.Value {
	if v.Kind != jsontree.List {
		return v
	}
	out := object1(v)
	for _, item := range v.Items {
		if name := item.Get("type"); name.Is(jsontree.String) && item.Get("url") != nil {
			put(out, name.Str, item.Get("url"))
		}
	}
	return out
}

func (c *conversion) api() {
	c.move("openapi", "api.openapi")
	c.move("asyncapi", "api.asyncapi")
	if mode := c.old.Get("api").Get("playground").Get("mode"); mode.Is(jsontree.String) {
		to := map[string]string{"show": "interactive", "hide": "none"}[mode.Str]
		if to == "" {
			to = mode.Str
		}
		c.set("api.playground.display", text1(mode, to))
	}
	if off := c.old.Get("api").Get("playground").Get("disableProxy"); off.Is(jsontree.Bool) {
		c.set("api.playground.proxy", flag1(off, !off.True()))
	}
	if e := c.old.Get("api").Get("paramFields").Get("expanded"); e.Is(jsontree.String) || e.Is(jsontree.Bool) {
		to := "closed"
		if e.Str == "all" || e.True() {
			to = "all"
		}
		c.set("api.params.expanded", text1(e, to))
	}
	c.move("api.request.example.languages", "api.examples.languages")
	if all := c.old.Get("api").Get("request").Get("example").Get("showOptionalParams"); all.Is(jsontree.Bool) {
		c.set("api.examples.defaults", text1(all, map[bool]string{true: "all", false: "required"}[all.True()]))
	}
	c.move("api.baseUrl", "api.mdx.server")
	c.move("api.auth.method", "api.mdx.auth.method")
	c.move("api.auth.name", "api.mdx.auth.name")
	if old := c.old.Get("api"); old.Is(jsontree.Object) { // keys of docs.json in an older file
		for _, m := range old.Members {
			if siteAPIKey(m.Key) && c.out.Get("api").Get(m.Key) == nil {
				c.set("api."+m.Key, m.Value)
			}
		}
	}
}

// rest moves keys that have the same form in both files.
func (c *conversion) rest() {
	c.move("search.prompt", "search.prompt")
	for _, k := range []string{"indexing", "metatags", "organization", "trailingSlash"} {
		c.move("seo."+k, "seo."+k)
	}
	c.move("metadata.timestamp", "metadata.timestamp")
	if h := c.old.Get("seo").Get("indexHiddenPages"); h.True() {
		c.set("seo.indexing", text1(h, "all"))
	}
	if m := c.old.Get("metadata"); m.Is(jsontree.Object) {
		for _, one := range m.Members {
			if one.Key != "timestamp" && c.out.Get("seo").Get("metatags").Get(one.Key) == nil {
				c.member(c.child(c.child(c.out, "seo", one.Value), "metatags", one.Value), one)
			}
		}
	}
	for _, from := range []string{"analytics", "integrations"} {
		if old := c.old.Get(from); old.Is(jsontree.Object) {
			for _, one := range old.Members {
				c.member(c.child(c.out, "integrations", one.Value), one)
			}
		}
	}
	table := siteShape()
	for _, m := range c.old.Members {
		if table.newer(m.Key) && c.out.Get(m.Key) == nil {
			c.member(c.out, m)
		}
	}
}
