package asset

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csscolor"
	"github.com/lectern-docs/lectern/internal/site"
)

func bundle(t *testing.T, css string, c site.Colors) *Bundle {
	t.Helper()
	b, err := NewBundle(Theme{Style: []byte(css), Boot: []byte("x"), Script: []byte("x")},
		&site.Site{Settings: site.Settings{Colors: c}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFileNamesChangeOnlyWithContent(t *testing.T) {
	a, b, c := bundle(t, "x{}", site.Colors{}), bundle(t, "x{}", site.Colors{}),
		bundle(t, "y{}", site.Colors{Primary: "#ff0000"})
	if a.Style != b.Style || a.Style == c.Style || a.Site == c.Site || a.Script != c.Script {
		t.Errorf("%s %s %s, %s %s", a.Style, b.Style, c.Style, a.Site, c.Site)
	}
	for _, f := range a.Files {
		if !f.Immutable || !strings.HasPrefix(f.Path, Folder+"/") {
			t.Errorf("file %+v", f)
		}
	}
}

func TestAccentsContrastWithBackground(t *testing.T) {
	for _, c := range []string{"#ffff00", "#ffffff", "#000000", "#0af", "#808080", "#00ff00"} {
		css := colors(&site.Settings{Colors: site.Colors{Primary: c}})
		accents := regexp.MustCompile(`--accent: (#[0-9a-f]{6})`).FindAllStringSubmatch(css, -1)
		if len(accents) < 2 {
			t.Fatalf("style sheet %s", css)
		}
		if r := csscolor.Ratio(rgb(accents[0][1]), rgb("#ffffff")); r < 4.5 {
			t.Errorf("%s on white: %.2f", c, r)
		}
		if r := csscolor.Ratio(rgb(accents[1][1]), rgb("#0e1014")); r < 4.5 {
			t.Errorf("%s on dark: %.2f", c, r)
		}
		if r := csscolor.Ratio(rgb(c), csscolor.On(rgb(c))); r < 4.5 {
			t.Errorf("text on a %s button: %.2f", c, r)
		}
	}
}

func TestBannerTextIsWhiteIfReadable(t *testing.T) {
	for c, want := range map[string]string{"#0891b2": "#ffffff", "#000000": "#ffffff", "#ffff00": "#000000"} {
		banner, text := bannerColors(rgb(c))
		if r := csscolor.Ratio(banner, text); text.String() != want || r < 4.5 {
			t.Errorf("%s: %s on %s, %.2f:1, want %s", c, text, banner, r, want)
		}
	}
}

func TestInvalidColoursAreNotWritten(t *testing.T) {
	bad := "red;} body{background:url(//evil)"
	css := colors(&site.Settings{
		Colors:     site.Colors{Primary: bad, Light: "#12", Dark: "#zzzzzz"},
		Background: site.Background{Color: site.Pair{Light: bad, Dark: "#+12345"}},
	})
	if strings.Contains(css, "evil") || strings.Contains(css, "#12;") || strings.Contains(css, "zz") ||
		strings.Contains(css, "+1") {
		t.Errorf("style sheet %s", css)
	}
}
