package e2e

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// Pages about our own API send requests to the server that serves them, once the operator lists its origin as in the
// guide. Otherwise, and for other ports of the machine, no request is forwarded.
func TestDocsPlaygroundCallsItsOwnServer(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	address, other := freeAddress(t), freeAddress(t)
	start := func(args ...string) *process {
		p := spawn(t, nil, append([]string{"serve", "--data", data, "--listen", address}, args...)...)
		p.url, p.data = "http://"+address, data
		p.Await("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK })
		return p
	}
	p := start()
	key := command(t, nil, "keys", "create", "--data", data)
	p.Await("our docs", func() bool { return p.playgroundRequest(key, p.url+"/v1/deployment").code != "" })
	if got := p.playgroundRequest(key, p.url+"/v1/deployment"); got.status != "" || got.code != "origin_not_allowed" {
		t.Errorf("without the setting: %+v", got)
	}
	p.Stop()
	p = start("--playground-origins", "http://"+address)
	if got := p.playgroundRequest(key, p.url+"/v1/deployment"); got.status != "200" || !strings.Contains(got.body, `"features"`) {
		t.Errorf("with the setting: %+v", got)
	}
	if got := p.playgroundRequest("wrong", p.url+"/v1/deployment"); got.status != "401" {
		t.Errorf("with a wrong key: %+v", got)
	}
	for _, to := range []string{"http://" + other + "/v1/deployment", "http://169.254.169.254/latest/meta-data"} {
		if got := p.playgroundRequest(key, to); got.status != "" || got.code == "" {
			t.Errorf("%s: %+v", to, got)
		}
	}
}

// passed is the result of a request through the server: the API's status and body, or the code of a refusal.
type passed struct{ status, code, body string }

// playgroundRequest sends a GET with a key as our docs' playground does.
func (p *process) playgroundRequest(key, to string) passed {
	p.t.Helper()
	r, err := http.NewRequestWithContext(background(), http.MethodPost, p.url+capability.ProxyPath, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Host = "docs.localhost:" + p.url[strings.LastIndexByte(p.url, ':')+1:]
	for name, value := range map[string]string{"Origin": "http://" + r.Host, "Sec-Fetch-Site": "same-origin",
		"Lectern-Target": to, "Lectern-Method": "GET",
		"Lectern-Headers": base64.RawURLEncoding.EncodeToString([]byte(`[["Authorization","Bearer ` + key + `"]]`))} {
		r.Header.Set(name, value)
	}
	answer := do(p.t, r)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), `"code":"`)
	code, _, _ = strings.Cut(code, `"`)
	return passed{answer.Header.Get("Lectern-Status"), code, string(text)}
}

func do(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
