package githubapp_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
)

func newFlow(t *testing.T, address string, now *time.Time) *githubapp.Flow {
	t.Helper()
	servers, err := forge.ParseServers([]string{strings.TrimPrefix(address, "http://") + "=github@" + address})
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	return &githubapp.Flow{Masters: [][]byte{[]byte("master")}, Rand: rand.Reader, Now: func() time.Time { return *now },
		Hosts: forge.Hosts{Servers: servers, HTTP: forgetest.Client(t), Trusts: func(string) bool { return true },
			Now: time.Now},
		Once: func(_ context.Context, key string, _ time.Duration) (bool, error) {
			fresh := !used[key]
			used[key] = true
			return fresh, nil
		}}
}

// A state is valid for one person, one organization, one hour and one use; with an invalid state no request is sent
// to GitHub.
func TestStateIsValidOnceForOnePerson(t *testing.T) {
	host, now := forgetest.NewAppHost(t), time.Now()
	flow := newFlow(t, host.URL, &now)
	me := githubapp.Person{OrganizationID: "org_a", MemberID: "mem_a"}
	begin := func() string {
		t.Helper()
		form, err := flow.Begin(me, githubapp.Request{Name: "docs-app", URL: host.URL}, "https://docs.example.com", "/back")
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(form.Action)
		if err != nil {
			t.Fatal(err)
		}
		return u.Query().Get("state")
	}
	state, code := begin(), host.Create()
	for name, try := range map[string]struct {
		who   githubapp.Person
		state string
		code  string
	}{
		"another person":       {githubapp.Person{OrganizationID: "org_a", MemberID: "mem_b"}, state, code},
		"another organization": {githubapp.Person{OrganizationID: "org_b", MemberID: "mem_a"}, state, code},
		"no state":             {me, "", code},
		"a changed state":      {me, state[:len(state)-4] + "AAAA", code},
		"no code":              {me, state, ""},
		"a long code":          {me, state, strings.Repeat("x", 300)},
	} {
		if _, err := flow.Finish(t.Context(), try.who, try.state, try.code); !fault.HasCode(err, "bad_app_state") {
			t.Errorf("%s: %v", name, err)
		}
	}
	made, err := flow.Finish(t.Context(), me, state, code)
	if err != nil || made.Name != "docs-app" || made.App.ID != "12345" || made.Request.Owner != "" || made.CreatedApp.Owner != "acme" ||
		made.InstallURL != host.URL+"/github-apps/lectern-docs/installations/new" {
		t.Fatalf("got %+v, %v", made, err)
	}
	if _, err := flow.Finish(t.Context(), me, state, host.Create()); !fault.HasCode(err, "bad_app_state") {
		t.Errorf("second use: %v", err)
	}
	late := begin()
	now = now.Add(githubapp.Life)
	if _, err := flow.Finish(t.Context(), me, late, host.Create()); !fault.HasCode(err, "bad_app_state") {
		t.Errorf("too late: %v", err)
	}
	if _, err := flow.Finish(t.Context(), me, begin(), "wrong"); !fault.HasCode(err, "bad_app_code") {
		t.Errorf("a wrong code: %v", err)
	}
}

func TestFormIsPostedOnlyToGitHub(t *testing.T) {
	host, now := forgetest.NewAppHost(t), time.Now()
	flow := newFlow(t, host.URL, &now)
	me := githubapp.Person{OrganizationID: "org_a", MemberID: "mem_a"}
	for _, r := range []githubapp.Request{
		{Name: "x", URL: "https://gitlab.com"}, {Name: "x", URL: "https://evil.example"}, {Name: "x", URL: "javascript:alert(1)"},
		{Name: "x", URL: "https://github.com/evil"}, {Name: "x", URL: "https://github.com;x"}, {Name: "x", URL: "https://u:p@github.com"},
		{Name: "x", URL: ""}, {Name: "../x", URL: "https://github.com"}, {Name: "x", URL: "https://github.com", Owner: "a/b"},
		{Name: "x", URL: "https://github.com?x"},
	} {
		if form, err := flow.Begin(me, r, "https://docs.example.com", "/back"); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %+v, %v", r, form, err)
		}
	}
	form, err := flow.Begin(me, githubapp.Request{Name: "docs-app", URL: "https://GitHub.com/", Owner: "acme"},
		"https://docs.example.com", "/back")
	if err != nil || form.Origin != "https://github.com" ||
		!strings.HasPrefix(form.Action, "https://github.com/organizations/acme/settings/apps/new?state=") {
		t.Fatalf("got %+v, %v", form, err)
	}
	var manifest struct {
		Redirect    string            `json:"redirect_url"`
		Permissions map[string]string `json:"default_permissions"`
		Public      *bool
	}
	if err := json.Unmarshal([]byte(form.Manifest), &manifest); err != nil ||
		manifest.Redirect != "https://docs.example.com/back" || manifest.Permissions["repository_hooks"] != "write" || manifest.Permissions["checks"] != "write" ||
		manifest.Public == nil || *manifest.Public {
		t.Errorf("manifest %s, %v", form.Manifest, err)
	}
}

// GitHub shows an App's key only once: no outage at GitHub or here may lose it.
func TestAppSurvivesOutage(t *testing.T) {
	host, now := forgetest.NewAppHost(t), time.Now()
	flow := newFlow(t, host.URL, &now)
	me, other := githubapp.Person{OrganizationID: "org_a", MemberID: "mem_a"}, githubapp.Person{OrganizationID: "org_a", MemberID: "mem_b"}
	form, err := flow.Begin(me, githubapp.Request{Name: "docs-app", URL: host.URL}, "https://docs.example.com", "/back")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(form.Action)
	if err != nil {
		t.Fatal(err)
	}
	state, code := u.Query().Get("state"), host.Create()
	host.Down(true)
	failed, err := flow.Finish(t.Context(), me, state, code)
	if !fault.Is(err, fault.Unavailable) || failed.Again == "" {
		t.Fatalf("GitHub is down: %+v, %v", failed, err)
	}
	host.Down(false)
	if _, err := flow.Finish(t.Context(), me, state, code); !fault.HasCode(err, "bad_app_state") {
		t.Errorf("the first state again: %v", err)
	}
	if _, err := flow.Finish(t.Context(), other, failed.Again, code); !fault.HasCode(err, "bad_app_state") {
		t.Errorf("another person: %v", err)
	}
	made, err := flow.Finish(t.Context(), me, failed.Again, code)
	if err != nil || made.App.PrivateKey != host.Key {
		t.Fatalf("with the new state: %v", err)
	}
	sealed := flow.Keep(me, made)
	if _, err := flow.Kept(other, sealed); !fault.HasCode(err, "bad_app_state") || strings.Contains(sealed, "PRIVATE") {
		t.Errorf("another person has the key: %v", err)
	}
	if kept, err := flow.Kept(me, sealed); err != nil || kept.App != made.App || kept.CreatedApp.Owner != "acme" ||
		kept.Request != made.Request || kept.InstallURL != made.InstallURL {
		t.Errorf("kept %+v, %v", kept, err)
	}
	now = now.Add(githubapp.Life)
	if _, err := flow.Kept(me, sealed); !fault.HasCode(err, "bad_app_state") {
		t.Errorf("an hour later: %v", err)
	}
}
