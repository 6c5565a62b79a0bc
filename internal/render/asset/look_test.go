package asset

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/npm"
)

func lookOf(t *testing.T, s *site.Site) (string, *Bundle) {
	t.Helper()
	b, err := NewBundle(Theme{Packs: npm.FS()}, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range b.Files {
		if f.Path == b.Site {
			return string(f.Data), b
		}
	}
	t.Fatal("no style sheet")
	return "", nil
}

func withFonts(f site.Font, assets ...string) *site.Site {
	s := &site.Site{Settings: site.Settings{File: "docs.json", Fonts: site.Fonts{Heading: f, Body: f}}}
	for _, a := range assets {
		s.Assets = append(s.Assets, site.Asset{Path: a})
	}
	return s
}

// C5: no page requests a font from another host, because the page's content security policy would block it. A font that
// is not included is reported and replaced.
func TestFontsAreServedFromTheSite(t *testing.T) {
	for _, c := range []struct {
		name    string
		font    site.Font
		stack   string // how --sans begins
		early   string // part of the path of the preloaded font
		finding bool
	}{
		{"none", site.Font{}, `"Inter", "Inter Stand-in 1"`, "_lectern/fonts/inter-latin.", false},
		{"carried", site.Font{Family: "geist sans"}, `"Geist", "Geist Stand-in 1"`, "_lectern/fonts/geist-latin.",
			false},
		{"carried, from elsewhere", site.Font{Family: "Inter",
			Source: "https://fonts.googleapis.com/css2?family=Inter"}, `"Inter"`, "inter-latin.", false},
		{"a file", site.Font{Family: "Satoshi", Source: "/fonts/Satoshi Variable.woff2"}, `"Satoshi", ui-sans-serif`,
			"fonts/Satoshi Variable.woff2", false},
		{"a file that is not there", site.Font{Family: "Satoshi", Source: "/fonts/gone.woff2"}, `"Inter"`,
			"inter-latin.", true},
		{"elsewhere", site.Font{Family: "Lateral", Source: "https://x.test/a.woff2"}, `"Inter"`, "inter-latin.", true},
		{"elsewhere, without a scheme", site.Font{Family: "Lateral", Source: `\\x.test/a.woff2`}, `"Inter"`,
			"inter-latin.", true},
		{"not carried", site.Font{Family: "Comic Neue"}, `"Inter"`, "inter-latin.", true},
		{"the machine's", site.Font{Family: "system-ui"}, "system-ui, ui-sans-serif", "", false},
		{"common", site.Font{Family: "Georgia"}, `"Georgia", ui-sans-serif`, "", false},
	} {
		css, b := lookOf(t, withFonts(c.font, "fonts/Satoshi Variable.woff2"))
		if !strings.Contains(css, "--sans: "+c.stack) {
			t.Errorf("%s: no %s in\n%s", c.name, c.stack, css)
		}
		if (len(b.Findings) > 0) != c.finding ||
			c.finding && (b.Findings[0].Code != "font-unavailable" || b.Findings[0].Hint == "") {
			t.Errorf("%s: findings %v", c.name, b.Findings)
		}
		if c.early == "" && len(b.Fonts) > 0 ||
			c.early != "" && (len(b.Fonts) == 0 || !strings.Contains(b.Fonts[0], c.early)) {
			t.Errorf("%s: early %v", c.name, b.Fonts)
		}
		if strings.Contains(css, "//") {
			t.Errorf("%s: a remote URL in\n%s", c.name, css)
		}
		for _, m := range regexp.MustCompile(`url\((fonts/[^)]+)\)`).FindAllStringSubmatch(css, -1) {
			if !slices.ContainsFunc(b.Files,
				func(f output.File) bool { return f.Path == Folder+"/"+m[1] && f.Immutable }) {
				t.Errorf("%s: %s is missing", c.name, m[1])
			}
		}
	}
}

func TestCodeFontIsServedFromTheSite(t *testing.T) {
	for _, f := range []site.Font{{}, {Family: "Georgia"}, {Family: "Geist Mono"}} {
		css, b := lookOf(t, withFonts(f))
		if !strings.Contains(css, `--mono: "Geist Mono", var(--system-mono);`) ||
			!strings.Contains(b.CodeFont, "/geist-mono-latin.") {
			t.Errorf("%q: code has %q in\n%s", f.Family, b.CodeFont, css)
		}
		if !strings.Contains(css, "U+2500-259F") {
			t.Errorf("%q: lines of folder trees have another font", f.Family)
		}
		if n := strings.Count(css, "url(fonts/geist-mono-latin."); n != 1 {
			t.Errorf("%q: the face is declared %d times", f.Family, n)
		}
	}
}

func TestAuthorFontPathIsRelativeToStyleSheet(t *testing.T) {
	css, _ := lookOf(t, withFonts(site.Font{Family: "Satoshi", Weight: 700, Source: "/fonts/Satoshi Variable.woff2"},
		"fonts/Satoshi Variable.woff2"))
	for _, want := range []string{`url("../fonts/Satoshi%20Variable.woff2") format("woff2")`, "font-weight: 1 1000",
		"font-display: optional", "html { font-weight: 700; }", "--heading-weight: 700;"} {
		if !strings.Contains(css, want) {
			t.Errorf("no %s in\n%s", want, css)
		}
	}
}

// An author's values cannot end the string, the rule or the sheet that contains them.
func TestHostileFontNamesAreEscaped(t *testing.T) {
	bad := "x\"} body{background:url(//evil.test)} @import '//evil.test';\\\n</style>\x00"
	s := withFonts(site.Font{Family: bad, Source: "/a.woff2", Format: bad}, "a.woff2")
	s.Background = site.Background{Decoration: bad, Image: site.Pair{Light: "https://x.test/a\");}evil{",
		Dark: "javascript:alert(1)"}, Color: site.Pair{Light: bad, Dark: bad}}
	s.Styling.CodeTheme = site.Pair{Light: bad, Dark: bad}
	css, _ := lookOf(t, s)
	plain := regexp.MustCompile(`"(?:\\[0-9a-f]+ |[^"\\\n])*"`).ReplaceAllString(css, `""`)
	for _, sign := range []string{"evil", "javascript", "import", "<", "\x00", `\`} {
		if strings.Contains(plain, sign) {
			t.Errorf("%q outside of strings in\n%s", sign, plain)
		}
	}
	if strings.Count(plain, "{") != strings.Count(plain, "}") {
		t.Errorf("braces in\n%s", plain)
	}
}

// The fallback font takes the same space as ours: its size and line metrics are computed from the tables of both fonts.
// Arial and Inter are known to differ by 7%. According to the font's own tables, Inter's ascent is 0.96875 of its size
// and its descent is 0.2412.
func TestFallbackFontsMatchMetrics(t *testing.T) {
	css, _ := lookOf(t, withFonts(site.Font{}))
	m := regexp.MustCompile(
		`local\("Arial"\).*size-adjust: ([\d.]+)%; ascent-override: ([\d.]+)%; descent-override: ([\d.]+)%; line-gap-override: 0%`).FindStringSubmatch(css)
	if m == nil {
		t.Fatalf("no fallback font in\n%s", css)
	}
	size, ascent, descent := number(t, m[1])/100, number(t, m[2])/100, number(t, m[3])/100
	if size < 1.065 || size > 1.08 {
		t.Errorf("size %f", size)
	}
	if a := ascent * size; a < 0.968 || a > 0.970 {
		t.Errorf("ascent %f", a)
	}
	if d := descent * size; d < 0.240 || d > 0.242 {
		t.Errorf("descent %f", d)
	}
}

func TestAuthorBackgroundsKeepTextReadable(t *testing.T) {
	for _, paper := range []string{"#ffffff", "#000000", "#eeeeee", "#222831", "#ff0000", "#808080", "#fafaf9"} {
		for _, s := range []scheme{light().on(paper), dark().on(paper)} {
			for name, ink := range map[string]csscolor.RGB{"ink": s.ink, "strong": s.strong, "soft": s.inkSoft,
				"faint": s.faint} {
				want := 4.5
				if paper == "#808080" || paper == "#ff0000" { // on these, no colour has a contrast above 5.3
					want = 3.9
				}
				if r := csscolor.Ratio(ink, s.paper); r < want {
					t.Errorf("%s on %s: %.2f", name, paper, r)
				}
			}
		}
	}
}

func TestCodeIsReadableInEveryScheme(t *testing.T) {
	for _, name := range highlight.Palettes() {
		p, _ := highlight.FindPalette(name)
		css := codeScheme(":root", p)
		ground := rgb(regexp.MustCompile(`--paper-code: (#\w+)`).FindStringSubmatch(css)[1])
		for _, m := range regexp.MustCompile(`(?:color|--ink[-a-z]*): (#\w+)`).FindAllStringSubmatch(css, -1) {
			if r := csscolor.Ratio(rgb(m[1]), ground); r < 4.5 {
				t.Errorf("%s: %s on %s: %.2f", name, m[1], ground, r)
			}
		}
	}
}

func TestUnknownCodeThemeSuggestsNearestName(t *testing.T) {
	s := &site.Site{Settings: site.Settings{File: "docs.json",
		Styling: site.Styling{CodeTheme: site.Pair{Light: "github-ligth", Dark: "dracula"}}}}
	css, b := lookOf(t, s)
	if len(b.Findings) != 1 || b.Findings[0].Code != "code-theme" ||
		!strings.Contains(b.Findings[0].Hint, "github-light") {
		t.Errorf("findings %v", b.Findings)
	}
	if !strings.Contains(css, "[data-scheme=dark] :is(.code, .codegroup) { color-scheme: dark; --paper-code: #282a36") {
		t.Errorf("no dark scheme in\n%s", css)
	}
	for _, quiet := range []string{"", "system", "dark", "css-variables"} {
		s.Styling.CodeTheme = site.Pair{Light: quiet, Dark: quiet}
		if _, b := lookOf(t, s); len(b.Findings) > 0 {
			t.Errorf("%s: %v", quiet, b.Findings)
		}
	}
}

func TestBackgroundsUseOnlyCSS(t *testing.T) {
	for _, name := range []string{"gradient", "grid", "windows"} {
		css, _ := lookOf(t, &site.Site{Settings: site.Settings{Background: site.Background{Decoration: name}}})
		if !strings.Contains(css, "body::before") || strings.Contains(css, "data:") {
			t.Errorf("%s:\n%s", name, css)
		}
	}
	s := &site.Site{Settings: site.Settings{Background: site.Background{Image: site.Pair{Light: "/images/a b.png",
		Dark: "https://x.test/b.png"}}}, Assets: []site.Asset{{Path: "images/a b.png"}}}
	css, b := lookOf(t, s)
	if !strings.Contains(css, `url("../images/a%20b.png")`) || !strings.Contains(css, `url("https://x.test/b.png")`) ||
		len(b.Findings) > 0 {
		t.Errorf("findings %v in\n%s", b.Findings, css)
	}
	s.Background.Image = site.Pair{Light: "/gone.png", Dark: "http://x.test/b.png"}
	if css, b := lookOf(t, s); strings.Contains(css, "url(\"") || len(b.Findings) != 2 {
		t.Errorf("findings %v in\n%s", b.Findings, css)
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
