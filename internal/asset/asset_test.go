package asset

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site"
)

func bundle(t *testing.T, css string, c site.Colors) *Bundle {
	t.Helper()
	b, err := NewBundle(Theme{FS: fstest.MapFS{"a.css": {Data: []byte(css)}, "b.js": {Data: []byte("x")}}, Styles: []string{"a.css"}, Boot: []string{"b.js"}, Script: []string{"b.js"}}, &site.Site{Settings: site.Settings{Colors: c}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNamesChangeWithTheContentOnly(t *testing.T) {
	a, b, c := bundle(t, "x{}", site.Colors{}), bundle(t, "x{}", site.Colors{}), bundle(t, "y{}", site.Colors{Primary: "#ff0000"})
	if a.Style != b.Style || a.Style == c.Style || a.Site == c.Site || a.Script != c.Script {
		t.Errorf("%s %s %s, %s %s", a.Style, b.Style, c.Style, a.Site, c.Site)
	}
	for _, f := range a.Files {
		if !f.Immutable || !strings.HasPrefix(f.Path, Folder+"/") {
			t.Errorf("file %+v", f)
		}
	}
}

func TestMissingThemePartIsAnError(t *testing.T) {
	if _, err := NewBundle(Theme{FS: fstest.MapFS{}, Styles: []string{"gone.css"}}, &site.Site{}); err == nil {
		t.Error("no error")
	}
}

func TestAccentsStandOutFromTheirBackground(t *testing.T) {
	ratio := func(a, b string) float64 {
		x, _ := parse(a)
		y, _ := parse(b)
		l1, l2 := luminance(x), luminance(y)
		return (math.Max(l1, l2) + 0.05) / (math.Min(l1, l2) + 0.05)
	}
	for _, c := range []string{"#ffff00", "#ffffff", "#000000", "#0af", "#808080", "#00ff00"} {
		if r := ratio(contrast(c, 1, 4.5), "#ffffff"); r < 4.5 {
			t.Errorf("%s on white: %.2f", c, r)
		}
		if r := ratio(contrast(c, 0, 4.5), "#0e1014"); r < 4.5 {
			t.Errorf("%s on dark: %.2f", c, r)
		}
		if r := ratio(c, on(c)); r < 4.5 {
			t.Errorf("text on a %s button: %.2f", c, r)
		}
	}
}

func TestOnlyColoursReachTheStyleSheet(t *testing.T) {
	css := string(colors(site.Colors{Primary: "red;} body{background:url(//evil)", Light: "#12", Dark: "#zzzzzz"}))
	if strings.Contains(css, "evil") || strings.Contains(css, "#12;") || strings.Contains(css, "zz") {
		t.Errorf("style sheet %s", css)
	}
}
