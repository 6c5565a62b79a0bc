package docsjson

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for the name of the site and the appearance of its pages.

// Themes returns the names of the themes that a site file may use. All themes are variants of one design.
func Themes() []string {
	return []string{"mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"}
}

func lookKeys(c *Config) []key {
	return []key{
		textKey("name", &c.Name),
		textKey("description", &c.Description),
		wordKey("theme", &c.Theme, Themes()...),
		{name: "colors", shape: object(
			colorKey("primary", &c.Colors.Primary), colorKey("light", &c.Colors.Light),
			colorKey("dark", &c.Colors.Dark)).needing("", "primary")},
		logoKey(&c.Logo),
		pairKey("favicon", &c.Favicon),
		objectKey("appearance",
			wordKey("default", &c.Appearance.Default, "system", "light", "dark"),
			flagKey("strict", &c.Appearance.Strict)),
		fontsKey(&c.Fonts),
		objectKey("icons", wordKey("library", &c.IconLibrary, "fontawesome", "lucide", "tabler")),
		objectKey("background",
			wordKey("decoration", &c.Background.Decoration, "gradient", "grid", "windows"),
			colorPairKey("color", &c.Background.Color),
			pairKey("image", &c.Background.Image)),
		objectKey("styling", stylingKeys(c)...),
		objectKey("thumbnails",
			wordKey("appearance", &c.Thumbnail.Appearance, "light", "dark"),
			textKey("background", &c.Thumbnail.Background),
			objectKey("fonts", textKey("family", &c.Thumbnail.Font))),
		objectKey("interaction", optionalKey("drilldown", &c.Drilldown)),
		objectKey("custom", filesKey("css", &c.Styles), filesKey("js", &c.Scripts)),
		filesKey("customCSS", &c.Styles),
		filesKey("customJS", &c.Scripts),
	}
}

func logoKey(to *site.Logo) key {
	var p site.Pair
	s := text().or(object(textKey("light", &p.Light), textKey("dark", &p.Dark), textKey("href", &to.Href)))
	return key{name: "logo", shape: s, set: func(v *jsontree.Value) {
		p = both(v)
		store(v, s)
		p = completed(p)
		to.Light, to.Dark = p.Light, p.Dark
	}}
}

// fontsKey returns the key for the typefaces: one for all text, and separate ones for headings and for other text,
// which replace it completely.
func fontsKey(to *site.Fonts) key {
	all := object(fontKeys(&to.Body)...)
	parts := object(resetKey("heading", &to.Heading, object(fontKeys(&to.Heading)...)),
		resetKey("body", &to.Body, object(fontKeys(&to.Body)...)))
	return key{name: "fonts", shape: object(slices.Concat(all.keys, parts.keys)...), set: func(v *jsontree.Value) {
		store(v, all)
		to.Heading = to.Body
		store(v, parts)
	}}
}

func fontKeys(to *site.Font) []key {
	return []key{
		textKey("family", &to.Family),
		{name: "weight", shape: number(), set: func(v *jsontree.Value) {
			if n := numberOf(v); n >= 1 && n <= 1000 {
				to.Weight = int(n)
			}
		}},
		textKey("source", &to.Source),
		wordKey("format", &to.Format, "woff", "woff2"),
	}
}

func stylingKeys(c *Config) []key {
	s := &c.Styling
	code := text().or(object(pairKey("theme", &s.CodeTheme), objectKey("languages",
		key{name: "custom", idle: "TextMate grammars are not supported; code in those languages is not highlighted",
			hint: "Use a similar, supported language in the code fence, such as js or c."})))
	return []key{
		{name: "eyebrows", shape: word("section", "breadcrumbs"), set: setEqual(&s.Breadcrumbs, "breadcrumbs")},
		inverseKey("latex", &s.NoMath),
		inverseKey("responsiveImages", &s.OriginalImages),
		{name: "codeblocks", shape: code, set: func(v *jsontree.Value) {
			s.CodeTheme = both(v)
			store(v, code)
		}},
		filesKey("css", &c.Styles),
	}
}
