package devserve

import (
	"net/http"
	"testing"
)

func TestPreviewStartsInReaderLanguage(t *testing.T) {
	p := open(t, "docs.json",
		`{"name":"T","navigation":{"languages":[{"language":"en","pages":["index"]},{"language":"fr","pages":["fr/index"]}]}}`,
		"index.mdx", "Welcome.", "fr/index.mdx", "Bonjour.")
	p.get("/llms.txt") // waits until the files that depend on every page are generated
	if resp, _ := p.get("/", "Accept-Language", "fr"); resp.StatusCode != http.StatusTemporaryRedirect ||
		resp.Header.Get("Location") != "/fr" {
		t.Errorf("%d %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	for _, headers := range [][]string{{"Accept-Language", "en"},
		{"Accept-Language", "fr", "Cookie", "lectern-language=en"}} {
		if resp, _ := p.get("/", headers...); resp.StatusCode != http.StatusOK {
			t.Errorf("%q: %d", headers, resp.StatusCode)
		}
	}
}
