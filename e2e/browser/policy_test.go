package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

const policyDomain = "policy.localhost"

// widgetHost starts another host, whose script sets a global variable.
func widgetHost(t *testing.T, name string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "window[%q] = true;", name)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// C5: a script from an allowed host runs, one from another host is blocked and listed with the setting that would allow
// it, and no page allows inline scripts.
func TestAllowedScriptsRunAndBlockedOnesAreReported(t *testing.T) {
	t.Parallel()
	allowed, forbidden := widgetHost(t, "allowedRan"), widgetHost(t, "forbiddenRan")
	f := startFreshServer(t, nil, "--first-site", "off")
	f.publish(policyDomain,
		"docs.json", `{"name": "Docs", "navigation": {"pages": ["index"]}, "integrations": {"ga4": {"measurementId": "G-TEST1"}},
			"security": {"allow": {"script": ["`+allowed+`"]}}}`,
		"index.mdx", "---\ntitle: Home\n---\nWords.\n",
		"widgets.js", `document.addEventListener("securitypolicyviolation", (e) => (window.violations ||= []).push(e.effectiveDirective));
			for (const src of ["`+allowed+`/a.js", "`+forbidden+`/b.js?reader=7"]) {
				const s = document.createElement("script"); s.src = src; document.head.append(s);
			}
			const inline = document.createElement("script"); inline.textContent = "window.inlineRan = true"; document.head.append(inline);`)
	id := f.project(policyDomain)
	p := tab(t)
	p.navigate(f.site(policyDomain) + "/")
	p.waitFor(`window.allowedRan && window.violations?.length === 2`)
	if eval[bool](p, `!!window.forbiddenRan || !!window.inlineRan`) {
		t.Error("a script ran that was not allowed")
	}
	if !eval[bool](p, `!!window.dataLayer && !!document.querySelector(
		'script[src="https://www.googletagmanager.com/gtag/js?id=G-TEST1"]')`) {
		t.Error("the service configured in docs.json was not loaded")
	}
	checkPolicy(t, f, allowed)
	var listed *client.BlockedList
	f.waitUntil("the reports", func() (ok bool) {
		var err error
		if listed, err = f.ListBlocked(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return len(listed.Blocked) == 2
	})
	got := map[string]string{}
	for _, b := range listed.Blocked {
		line := ""
		if b.Allow != nil {
			line = *b.Allow
		}
		got[b.Source] = fmt.Sprint(b.Kind, " ", b.Page, " ", line)
	}
	if want := `script / "security": {"allow":{"script":["` + forbidden + `"]}}`; got[forbidden] != want ||
		got["inline"] != "script / " {
		t.Errorf("%q", got)
	}
	board := p.openIsolated(t)
	board.makeOwner(f)
	board.reloadUntil(f.url+"/dashboard/projects/"+id+"/blocked", "main tbody", `{"allow":{"script":["`+forbidden+`"]}}`)
	board.checkLook("blocked")
}

// checkPolicy checks the policy header of a page.
func checkPolicy(t *testing.T, f *freshServer, allowed string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = policyDomain + ":" + f.port
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	policy := res.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self' "+allowed+" https://www.googletagmanager.com;") ||
		strings.Contains(policy, "unsafe") || !strings.HasSuffix(policy, "report-uri /_lectern/api/blocked") {
		t.Errorf("policy: %s", policy)
	}
}
