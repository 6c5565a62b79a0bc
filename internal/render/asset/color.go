package asset

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/site"
)

// scheme holds the theme's colours for light or dark pages, in the order of its tokens. paper is the page background.
type scheme struct {
	paper, soft, code, ink, strong, inkSoft, faint, line, lineStrong csscolor.RGB
	own                                                              bool // the author set the paper colour
}

func light() scheme {
	return scheme{paper: rgb("#ffffff"), ink: rgb("#3a404b"), strong: rgb("#0c0e13"), inkSoft: rgb("#555c69"),
		faint: rgb("#687080")}
}

func dark() scheme {
	return scheme{paper: rgb("#0c0e12"), ink: rgb("#c9cdd6"), strong: rgb("#f3f5f8"), inkSoft: rgb("#a0a7b4"),
		faint: rgb("#8b93a1")}
}

func rgb(c string) csscolor.RGB { return csscolor.First(c) }

// on returns the scheme with an author's paper colour. Text colours are adjusted until they are readable on it, and
// lines and panels are mixed from both.
func (s scheme) on(paper string) scheme {
	c, ok := csscolor.Parse(paper)
	if !ok {
		return s
	}
	s.paper, s.own = c, true
	s.strong = csscolor.Apart(s.strong, c, 7)
	s.ink = csscolor.Apart(s.ink, c, 7)
	s.soft, s.code = s.strong.Mix(c, 0.035), s.strong.Mix(c, 0.04)
	// These colours are also used on panels, where their contrast is slightly lower.
	s.inkSoft, s.faint = csscolor.Apart(s.inkSoft, s.code, 4.6), csscolor.Apart(s.faint, s.code, 4.6)
	s.line, s.lineStrong = s.strong.Mix(c, 0.10), s.strong.Mix(c, 0.18)
	return s
}

// tokens writes the values that differ from the theme's.
func (s scheme) tokens() string {
	if !s.own {
		return ""
	}
	out := ""
	for _, t := range []struct {
		name  string
		value csscolor.RGB
	}{
		{"paper", s.paper}, {"canvas", s.paper}, {"paper-soft", s.soft}, {"paper-code", s.code}, {"ink", s.ink},
		{"ink-strong", s.strong},
		{"ink-soft", s.inkSoft}, {"ink-faint", s.faint}, {"line", s.line}, {"line-strong", s.lineStrong},
	} {
		out += fmt.Sprintf(" --%s: %s;", t.name, t.value)
	}
	return out
}

// colors writes the accent for light and dark pages, the most readable text colour on a button of that colour, and the
// author's paper colours. Authors' colours have been validated to be hexadecimal; anything else is ignored.
func colors(s *site.Settings) string {
	c := s.Colors
	const own = "#3b5bdb"
	button := csscolor.First(c.Dark, c.Primary, own)
	papers := [2]scheme{light().on(s.Background.Color.Light), dark().on(s.Background.Color.Dark)}
	accents := [2]csscolor.RGB{csscolor.First(c.Primary, own), csscolor.First(c.Light, c.Primary, "#91a7ff")}
	var values [2]string
	for i, p := range papers {
		// more than 4.5, because the paper of some themes is slightly less bright or less dark
		accent := csscolor.Apart(accents[i], p.paper, 4.75)
		banner, onBanner := bannerColors(button)
		values[i] = fmt.Sprintf("{ --accent: %s; --button: %s; --on-button: %s; --banner: %s; --on-banner: %s;%s }\n",
			accent, button, csscolor.On(button), banner, onBanner, p.tokens())
	}
	out := "@layer site {\n:root " + authorVariables(s) + ":root " + values[0] + darkRule(":root", values[1])
	if papers[0].own || papers[1].own { // apply the reader's preference for more contrast to the author's colours too
		out += "@media (prefers-contrast: more) { :root:root:root { --ink: var(--ink-strong); " +
			"--ink-soft: var(--ink-strong); --ink-faint: var(--ink-strong); } }\n"
	}
	return out + "}\n"
}

// bannerColors returns the colours of the banner. Authors expect white text on it, so a colour on which white is
// nearly readable is darkened instead of getting black text.
func bannerColors(button csscolor.RGB) (banner, text csscolor.RGB) {
	white := csscolor.First("#ffffff")
	if csscolor.Ratio(button, white) < 3 {
		return button, csscolor.On(button)
	}
	return csscolor.Apart(button, white, 4.5), white
}

// grays are the neutral colours that authors' CSS can use as --gray-50 to --gray-950.
var grays = []struct{ step, triple string }{
	{"50", "248 249 251"}, {"100", "241 243 246"}, {"200", "231 233 238"}, {"300", "211 215 222"},
	{"400", "160 167 180"}, {"500", "104 112 128"}, {"600", "85 92 105"}, {"700", "58 64 75"}, {"800", "32 36 44"},
	{"900", "21 24 30"}, {"950", "12 14 18"},
}

// authorVariables returns the site's colours for authors' CSS, each as three numbers: rgb(var(--primary) / 0.5).
func authorVariables(s *site.Settings) string {
	c, out := s.Colors, "{"
	for _, v := range []struct {
		name  string
		value csscolor.RGB
	}{
		{"primary", csscolor.First(c.Primary, "#3b5bdb")}, {"primary-light", csscolor.First(c.Light, c.Primary, "#91a7ff")},
		{"primary-dark", csscolor.First(c.Dark, c.Primary, "#3b5bdb")},
		{"background-light", csscolor.First(s.Background.Color.Light, "#ffffff")},
		{"background-dark", csscolor.First(s.Background.Color.Dark, "#0c0e12")},
	} {
		b := v.value.Bytes()
		out += fmt.Sprintf(" --%s: %d %d %d;", v.name, b[0], b[1], b[2])
	}
	for _, g := range grays {
		out += " --gray-" + g.step + ": " + g.triple + ";"
	}
	return out + " }\n"
}

// darkRule returns rules that apply a block to dark pages: if the reader chose dark, or if the reader chose nothing and
// the system is dark.
func darkRule(root, block string) string {
	return root + "[data-scheme=dark] " + block + "@media (prefers-color-scheme: dark) { " + root +
		":not([data-scheme=light]) " + block + "}\n"
}
