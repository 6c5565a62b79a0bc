package build

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/integration"
	"github.com/lectern-docs/lectern/internal/site/link"
)

const importedSheet = `@import "https://fonts.example/a.css"; p{}`

// externalSite returns a site that uses third-party services and sources on other hosts.
func externalSite() fstest.MapFS {
	return fstest.MapFS{
		"docs.json": {Data: []byte(`{"name": "x", "navigation": ["index"], 
			"security": {"allow": {"script": ["https://w.example"], "style": ["https://fonts.example"]}},
			"integrations": {"ga4": {"measurementId": "G-TEST1"}, "plausible": {"domain": "docs.example", "server": "stats.example"},
			"cookies": {"key": "consent</script>", "value": "\"yes\""}}}`)},
		"style.css": {Data: []byte(importedSheet)},
		"index.mdx": {Data: []byte("---\ntitle: Home\n---\nWords.\n")},
	}
}

// integrationsOf returns the script of services in an output, and its name.
func integrationsOf(files map[string]string) (name, script string) {
	for name, text := range files {
		if strings.HasPrefix(name, "_lectern/integrations.") {
			return name, text
		}
	}
	return "", ""
}

func TestOutputContainsIntegrationScriptsAndAllowedSources(t *testing.T) {
	for name, style := range map[string]link.Style{"site": link.Clean, "bundle": link.Relative} {
		out, _ := build(t, externalSite(), Options{Links: style, Offers: capability.Offers{
			External: capability.External{On: true}}})
		file, script := integrationsOf(out.files)
		if file == "" || !strings.Contains(out.files["index.html"], file+`"`) {
			t.Fatalf("%s: the page does not load %q", name, file)
		}
		for _, want := range []string{"https://www.googletagmanager.com/gtag/js?id=G-TEST1",
			"https://stats.example/js/script.js", `"data-domain":"docs.example"`} {
			if !strings.Contains(script, want) {
				t.Errorf("%s: no %s in %s", name, want, script)
			}
		}
		if got := out.files[capability.SourcesFile]; got !=
			`{"script":["https://stats.example","https://w.example","https://www.googletagmanager.com"],`+
				`"style":["https://fonts.example"]}`+"\n" {
			t.Errorf("%s: %s", name, got)
		}
		if got := out.files["style.css"]; got != importedSheet {
			t.Errorf("%s: %s", name, got)
		}
		notes := out.files["_lectern/hosting/README.txt"]
		if (style == link.Relative) != strings.Contains(notes, " https://stats.example") {
			t.Errorf("%s: %s", name, notes)
		}
	}
}

func TestForbiddenServicesAreNotWritten(t *testing.T) {
	for name, e := range map[string]capability.External{"off": {}, "reported by the server": {On: true,
		Without: integration.Names()}} {
		out, _ := build(t, externalSite(), Options{Links: link.Clean, Offers: capability.Offers{External: e}})
		if file, _ := integrationsOf(out.files); file != "" {
			t.Errorf("%s: %s was written", name, file)
		}
		if got := out.files[capability.SourcesFile]; strings.Contains(got, "google") || !e.On && got != "" {
			t.Errorf("%s: %s", name, got)
		}
		if got := out.files["style.css"]; strings.Contains(got, "@import") == !e.On {
			t.Errorf("%s: %s", name, got)
		}
	}
}
