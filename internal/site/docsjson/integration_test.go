package docsjson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// Common proxies reject headers of more than 8 KiB, and with such a header every page.
func TestPolicyStaysSmall(t *testing.T) {
	var lists []string
	for _, kind := range []string{"script", "style", "font", "worker"} {
		var sources []string
		for i := range csp.MaxSources {
			sources = append(sources, fmt.Sprintf(`"https://%s-%d.example"`, strings.Repeat("a", 150), i))
		}
		lists = append(lists, fmt.Sprintf("%q: [%s]", kind, strings.Join(sources, ",")))
	}
	doc := `{"name": "x", "navigation": ["a"], "security": {"allow": {` + strings.Join(lists, ",") + `}}}`
	cfg, list := load(map[string]string{"docs.json": doc})
	if n := len(csp.Page{Allow: cfg.Allow}.Policy()); n < csp.MaxBytes || n > 6<<10 || len(list) == 0 {
		t.Errorf("%d bytes, %d findings", n, len(list))
	}
}

func TestIntegrationsAndSourcesAreChecked(t *testing.T) {
	for doc, want := range map[string]string{
		`"integrations": {"ga4": {"measurementId": "G-ABC123"}}`:              "[{ga4 map[measurementId:G-ABC123]}] map[]",
		`"integrations": {"hotjar": {"hjid": 12345, "hjsv": "6"}}`:            "[{hotjar map[hjid:12345 hjsv:6]}] map[]",
		`"integrations": {"frontchat": "abc123"}`:                             "[{frontchat map[id:abc123]}] map[]",
		`"integrations": {"ga4": {"measurementId": "G-1'); alert(1);//"}}`:    "[] map[] missing-key 2:25 bad-value 2:43",
		`"integrations": {"hotjar": {"hjid": 1.5, "hjsv": 6}}`:                "[] map[] missing-key 2:28 bad-value 2:37",
		`"integrations": {"hotjar": {"hjid": 1}}`:                             "[] map[] missing-key 2:28",
		`"integrations": {"google": {}}`:                                      "[] map[] unknown-key 2:18",
		`"security": {"allow": {"script": "https://a.example/"}}`:             "[] map[script:[https://a.example]]",
		`"security": {"allow": {"script": ["https://a.example/lib/"]}}`:       "[] map[script:[https://a.example/lib/]]",
		`"security": {"allow": {"style": ["'unsafe-inline'"]}}`:               "[] map[style:['unsafe-inline']]",
		`"security": {"allow": {"script": ["'unsafe-inline'"]}}`:              "[] map[] bad-source 2:35",
		`"security": {"allow": {"script": ["*", "https://b.example"]}}`:       "[] map[script:[https://b.example]] bad-source 2:35",
		`"security": {"allow": {"object": ["https://b.example"]}}`:            "[] map[] unknown-key 2:24",
		`"security": {"allow": {"script": ["https://a.example; img-src *"]}}`: "[] map[] bad-source 2:35",
	} {
		cfg, list := load(map[string]string{"docs.json": `{"name": "x", "navigation": ["a"],` + "\n" + doc + `}`})
		got := fmt.Sprint(cfg.Integrations, " ", map[string][]string(cfg.Allow))
		for _, d := range list {
			got += fmt.Sprintf(" %s %d:%d", d.Code, d.Line, d.Column)
		}
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", doc, got, want)
		}
	}
}
