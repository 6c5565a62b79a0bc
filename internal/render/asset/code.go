package asset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/site"
)

// codeThemes writes the colours of code for light and dark pages if the author has configured colour schemes. It
// adjusts every colour until it is readable on its background.
func (b *Bundle) codeThemes(s *site.Site) string {
	want := s.Styling.CodeTheme
	if want.Light == "dark" && want.Dark == "dark" { // the theme's own scheme, dark on every page
		return codeScheme(":root", houseDark())
	}
	out := ""
	if p, ok := b.palette(s, want.Light); ok {
		out += codeScheme(":root", p)
		if _, other := b.palette(s, want.Dark); !other && want.Dark != want.Light {
			out = "@media not all and (prefers-color-scheme: dark) { " +
				codeScheme(":root:not([data-scheme=dark])", p) + "}\n"
			out += codeScheme(":root[data-scheme=light]", p)
		}
	}
	if p, ok := b.palette(s, want.Dark); ok && want.Dark != want.Light {
		out += codeScheme(":root[data-scheme=dark]", p)
		out += "@media (prefers-color-scheme: dark) { " + codeScheme(":root:not([data-scheme=light])", p) + "}\n"
	}
	return out
}

// palette finds a colour scheme. ok is false for the names of the theme's own schemes.
func (b *Bundle) palette(s *site.Site, name string) (highlight.Palette, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "system", "css-variables":
		return highlight.Palette{}, false
	case "dark":
		return houseDark(), true
	}
	p, ok := highlight.FindPalette(name)
	if !ok {
		finding := diag.Diagnostic{File: s.File, Severity: diag.Warning, Code: "code-theme"}
		finding.Message = fmt.Sprintf("Unknown colour scheme for code: %q.", cut(name))
		if near := didyoumean.Word(name, slices.Values(highlight.Palettes())); near != "" {
			finding.Hint = fmt.Sprintf("Did you mean %q?", near)
		}
		if !slices.Contains(b.Findings, finding) {
			b.Findings = append(b.Findings, finding)
		}
	}
	return p, ok
}

// houseDark returns the theme's own scheme for dark pages. Its tokens depend on the colour scheme of the block.
func houseDark() highlight.Palette {
	return highlight.Palette{Dark: true, Ground: "#15181e", Ink: "#d7dae0"}
}

// codeScheme writes one colour scheme for blocks below root.
func codeScheme(root string, p highlight.Palette) string {
	ground := rgb(p.Ground)
	ink := csscolor.Apart(rgb(p.Ink), ground, 7)
	mode := "light"
	if p.Dark {
		mode = "dark"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@layer content { %s :is(.code, .codegroup) { color-scheme: %s; --paper-code: %s; --ink: %s; "+
		"--ink-strong: %s; --ink-soft: %s; --ink-faint: %s; --line: %s; --line-strong: %s; }\n",
		root, mode, ground, ink, csscolor.On(ground), csscolor.Apart(ink.Mix(ground, 0.72), ground, 4.6),
		csscolor.Apart(ink.Mix(ground, 0.6), ground, 4.6),
		ink.Mix(ground, 0.13), ink.Mix(ground, 0.24))
	for _, class := range slices.Sorted(maps.Keys(p.Class)) {
		fmt.Fprintf(&b, "%s .code .%s { color: %s; }\n", root, class, csscolor.Apart(rgb(p.Class[class]), ground, 4.5))
	}
	b.WriteString("}\n")
	return b.String()
}
