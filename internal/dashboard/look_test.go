package dashboard_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

// Dashboard pages use the design tokens and the typeface of the site theme, load them only from this server, and comply
// with the Content-Security-Policy.
func TestDashboardUsesSiteThemeAndFonts(t *testing.T) {
	r := newRig(t)
	page := r.send("", http.MethodGet, "/dashboard/sign-in", nil)
	wants(t, page.header.Get("Content-Security-Policy"), "default-src 'none'", "style-src 'self'", "font-src 'self'")
	wantsNone(t, page.body, "style=", "<style", "onclick")
	file := func(path string) reply {
		got := r.send("", http.MethodGet, path, nil)
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
		return got
	}
	tokens, err := fs.ReadFile(theme.FS(), "src/tokens.css")
	must(t, err)
	if file("/dashboard/files/tokens.css").body != string(tokens) {
		t.Error("tokens.css differs from the theme's")
	}
	look := file("/dashboard/files/look.css").body
	wants(t, look, `font-family: "Inter"`, "--accent: #0f766e")
	fonts := regexp.MustCompile(`url\((fonts/[^)]+)\)`).FindAllStringSubmatch(look, -1)
	if len(fonts) == 0 || !strings.Contains(page.body, `rel="preload" href="/dashboard/files/`+fonts[0][1]) {
		t.Fatalf("%q is not preloaded: %s", fonts, page.body)
	}
	for _, f := range fonts {
		if got := file("/dashboard/files/" + f[1]); got.header.Get("Content-Type") != "font/woff2" ||
			!strings.Contains(got.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", f[1], got.header)
		}
	}
}

// A state is shown by an icon and a word; colours only repeat them.
func TestEveryStateHasAnIconAndAWord(t *testing.T) {
	r := newRig(t)
	page := r.page("editor", "/dashboard/projects/"+r.a.project.ID+"/deployments")
	for _, word := range []string{"success", "failure", "live"} {
		badge := part(t, page, `data-state="`+word+`"`, "</span>")
		wants(t, badge, `<svg class="icon" aria-hidden="true"`, "</svg>"+word)
	}
}
