package asset

import (
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// decorations maps the name of each background decoration to its CSS, which draws it at the top of a page, behind the
// content, in the theme's colours.
var decorations = map[string]string{
	"gradient": `background: radial-gradient(70rem 26rem at 50% -8rem, color-mix(in srgb, var(--accent) 20%, transparent), transparent 75%);`,
	"grid": `--grid: color-mix(in srgb, var(--line) 65%, transparent); ` +
		`background: linear-gradient(var(--grid) 1px, transparent 1px) 0 -1px / 2.5rem 2.5rem, ` +
		`linear-gradient(90deg, var(--grid) 1px, transparent 1px) -1px 0 / 2.5rem 2.5rem; ` +
		`-webkit-mask-image: linear-gradient(#000, transparent); mask-image: linear-gradient(#000, transparent);`,
	"windows": `background: repeating-linear-gradient(115deg, color-mix(in srgb, var(--accent) 9%, transparent) 0 7rem, transparent 7rem 9rem), ` +
		`linear-gradient(transparent 49.5%, var(--paper) 49.5% 51.5%, transparent 51.5%); ` +
		`-webkit-mask-image: radial-gradient(50rem 24rem at 85% 0, #000, transparent); mask-image: radial-gradient(50rem 24rem at 85% 0, #000, transparent);`,
}

// background writes the rules for the page background. Decorations are not printed.
func (b *Bundle) background(s *site.Site) string {
	bg := s.Background
	var out strings.Builder
	if rule := decorations[bg.Decoration]; rule != "" {
		out.WriteString("@layer frame { @media screen { body { position: relative; isolation: isolate; }\n")
		out.WriteString(
			`body::before { content: ""; position: absolute; inset: 0 0 auto; z-index: -1; height: 32rem; ` +
				`max-height: 100%; pointer-events: none; ` + rule + " } } }\n")
	}
	lightImage, darkImage := b.picture(s, bg.Image.Light), b.picture(s, bg.Image.Dark)
	if lightImage == "" && darkImage == "" {
		return out.String()
	}
	block := func(image string) string {
		if image == "" {
			return "{ background-image: none; }\n"
		}
		return "{ background: var(--paper) url(" + image + ") top center / cover no-repeat fixed; }\n"
	}
	out.WriteString("@layer frame { @media screen { html " + block(lightImage))
	out.WriteString(darkRule("html", block(darkImage)) + "} }\n")
	return out.String()
}

// picture returns an image's URL in quotes, relative to the style sheet, or "".
func (b *Bundle) picture(s *site.Site, ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return ""
	}
	if remote(ref) {
		u, err := url.Parse(ref)
		if err != nil || u.Scheme != "https" || u.Host == "" { // not permitted by the pages' content security policy
			b.Findings.Warnf(diag.Pos{File: s.File}, "unsafe-link",
				"The address %q has a scheme that is not allowed in pages and is removed.", cut(ref))
			return ""
		}
		return quote(u.String())
	}
	if file := ownFile(s, ref); file != "" {
		return fromFolder(file)
	}
	b.Findings.Warnf(diag.Pos{File: s.File}, "broken-link", "Page or file not found: %q.", cut(ref))
	return ""
}
