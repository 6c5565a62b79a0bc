package layout

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file contains the platform's own icons for the page menu, and the colours that authors set for parts of the
// navigation.

// drawn contains the menu's own icons, as strokes in a 24 by 24 square.
var drawn = map[string]string{
	"view":     "M6 3.5h8l4.5 4.5v12.5h-12.5zM14 3.5v4.5h4.5M9 12.5h6M9 16h4",
	"download": "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15",
	"mcp":      "M9 3.5v5M15 3.5v5M6.5 8.5h11v3a5.5 5.5 0 0 1-11 0zM12 17v3.5",
	"command":  "M4 6.5l5 5-5 5M11.5 17.5h8.5",
	"ask":      "M12 3.5l1.9 5.1 5.1 1.9-5.1 1.9-1.9 5.1-1.9-5.1-5.1-1.9 5.1-1.9zM18.5 16v4M16.5 18h4",
	"code":     "M8.5 7l-5 5 5 5M15.5 7l5 5-5 5",
}

// brands maps menu entries to the names of brand icons in the library.
var brands = map[string][]string{"chatgpt": {"fab:openai"}, "claude": {"fab:claude"}, "perplexity": {"fab:perplexity"}}

// menu adds the icons of a page menu.
func (g *IconSheet) menu(icons IconWriter, m site.Menu) {
	for _, o := range m.Options {
		switch o.Name {
		case "":
			g.add(icons, o.Icon, o.IconType)
		case "view", "mcp":
			g.own(icons, o.Name, o.Name)
		case "download-spec", "download-pdf":
			g.own(icons, "download", "download")
		case "add-mcp":
			g.own(icons, "command", "command")
		case "cursor", "vscode":
			g.own(icons, o.Name, "code")
		default:
			if _, ok := assistants[o.Name]; ok {
				g.own(icons, o.Name, "ask")
			}
		}
	}
}

// own adds the icon called name: the brand icon if the library has it, otherwise the drawing.
func (g *IconSheet) own(icons IconWriter, name, drawing string) {
	key := "own:" + name
	if g.known[key] {
		return
	}
	g.known[key] = true
	for _, brand := range brands[name] {
		var svg htmlbuf.Buffer
		if icons.WriteIcon(&svg, brand, "") {
			g.rule(key, string(svg.Bytes()))
			return
		}
	}
	g.rule(key,
		`<svg class="icon" aria-hidden="true" width="1em" height="1em" viewBox="0 0 24 24" fill="none" stroke="black" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="`+drawn[drawing]+`"/></svg>`)
}

// tone returns the class for a colour, or "" if the sheet does not contain the colour.
func (g *IconSheet) tone(c site.Pair) string {
	if g == nil {
		return ""
	}
	if c.Dark == "" {
		c.Dark = c.Light
	}
	return g.tones[c]
}

// addTone adds a colour to the sheet, and black or white for text on it: one value for light pages and one for dark
// pages.
func (g *IconSheet) addTone(c site.Pair) {
	if c.Dark == "" {
		c.Dark = c.Light
	}
	light, isLight := csscolor.Parse(c.Light)
	dark, isDark := csscolor.Parse(c.Dark)
	if !isLight || !isDark || g.tones[c] != "" || len(g.tones) >= signsMax {
		return
	}
	g.tones[c] = strconv.Itoa(len(g.tones) + 1)
	g.sheet.Raw(`@layer nav{[data-tone="`)
	g.sheet.Name(g.tones[c])
	g.sheet.Raw(`"]{--tone:light-dark(`)
	g.sheet.Name(c.Light)
	g.sheet.Raw(",")
	g.sheet.Name(c.Dark)
	g.sheet.Raw(");--on-tone:light-dark(")
	g.sheet.Name(csscolor.On(light).String())
	g.sheet.Raw(",")
	g.sheet.Name(csscolor.On(dark).String())
	g.sheet.Raw(")}}\n")
}
