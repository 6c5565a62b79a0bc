package forge_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// hostsAt returns code hosts with one server of the given kind at an address on this machine.
func hostsAt(t *testing.T, kind, address string) forge.Hosts {
	t.Helper()
	servers, err := forge.ParseServers([]string{strings.TrimPrefix(address, "http://") + "=" + kind + "@" + address})
	if err != nil {
		t.Fatal(err)
	}
	return forge.Hosts{Servers: servers, HTTP: forgetest.Client(t), Trusts: func(string) bool { return true },
		Tokens: forge.NewTokens(forgetest.Client(t), time.Now), Now: time.Now}
}

// outcome writes a report's checks as name=result:code.
func outcome(r forge.Report) string {
	var out []string
	for _, c := range r.Checks {
		text := c.Name + "=" + string(c.Result)
		if c.Code != "" {
			text += ":" + c.Code
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestConnectionTestReportsEachCheck(t *testing.T) {
	_, url, key := forgetest.GitLabConnection(t)
	hosts := hostsAt(t, "gitlab", url)
	good := forge.Credential{User: "oauth2", Password: key}
	for _, c := range []struct {
		name       string
		credential forge.Credential
		target     forge.Target
		want       string
	}{
		{"good", good, forge.Target{Base: url + "/acme", Repository: url + "/acme/docs.git"},
			"host=passed identity=passed repositories=passed repository=passed write=passed webhooks=passed"},
		{"no repository", good, forge.Target{Base: url}, "host=passed identity=passed repositories=passed"},
		{"unknown repository", good, forge.Target{Base: url, Repository: url + "/acme/nothing"},
			"host=passed identity=passed repositories=passed repository=failed:forge_not_found"},
		{"wrong token", forge.Credential{Password: "wrong"}, forge.Target{Base: url}, "identity=failed:forge_key_refused"},
		{"unknown host", good, forge.Target{Base: "https://nowhere.example"}, "host=failed:forge_unknown_host"},
		{"SSH", good, forge.Target{Base: "ssh://git.example.com"}, "host=failed:bad_credential"},
		{"App", forge.Credential{App: &forge.App{ID: "1"}}, forge.Target{Base: url}, "host=failed:bad_credential"},
	} {
		report, err := hosts.Test(t.Context(), c.credential, c.target)
		if got := outcome(report); err != nil || got != c.want || report.OK() == strings.Contains(c.want, "failed") {
			t.Errorf("%s: %s, %v", c.name, got, err)
		}
	}
}

func TestConnectionTestExplainsUnreachableHost(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	report, err := hostsAt(t, "gitea", gone.URL).Test(t.Context(), forge.Credential{Password: "x"}, forge.Target{Base: gone.URL})
	if err != nil || outcome(report) != "host=failed:forge_unreachable" ||
		!strings.Contains(report.Checks[0].Message, "refused the connection") {
		t.Errorf("closed port: %+v, %v", report, err)
	}
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer untrusted.Close()
	untrusted.Config.ErrorLog = nil
	servers, err := forge.ParseServers([]string{"127.0.0.1=gitea@" + untrusted.URL})
	if err != nil {
		t.Fatal(err)
	}
	hosts := hostsAt(t, "gitea", gone.URL)
	hosts.Servers = servers
	report, err = hosts.Test(t.Context(), forge.Credential{Password: "x"}, forge.Target{Base: "https://127.0.0.1"})
	if err != nil || !strings.Contains(report.Checks[0].Message, "certificate") {
		t.Errorf("untrusted certificate: %+v, %v", report, err)
	}
	guard, err := outbound.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	hosts = hostsAt(t, "gitea", gone.URL)
	hosts.HTTP = guard.Client(outbound.Limits{})
	report, err = hosts.Test(t.Context(), forge.Credential{Password: "x"}, forge.Target{Base: gone.URL})
	if err != nil || outcome(report) != "host=failed:address_not_allowed" {
		t.Errorf("private address: %+v, %v", report, err)
	}
}

func TestExpiredTokenIsReportedAsExpired(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"invalid_token","error_description":"Token is expired. You can either do re-authorization or token refresh."}`))
	}))
	defer server.Close()
	report, err := hostsAt(t, "gitlab", server.URL).Test(t.Context(), forge.Credential{Password: "x"}, forge.Target{Base: server.URL})
	if err != nil || outcome(report) != "identity=failed:forge_key_expired" {
		t.Errorf("got %+v, %v", report, err)
	}
}
