package forge

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// These are complete responses as the hosts send them, including the fields that we do not use.
func TestFullResponsesOfAllHostsAreParsed(t *testing.T) {
	for kind, c := range map[Kind]struct{ fixture, part, commit, url string }{
		GitHub: {"github-pull-merged", "pull_request", commit, "https://github.com/acme/docs/pull/42"},
		GitLab: {"gitlab-answer", "", commit, "https://gitlab.example.com/acme/handbook/docs/-/merge_requests/42"},
		Gitea:  {"gitea-pull-merged", "pull_request", commit, "https://git.example.com/acme/docs/pulls/42"},
		// shortens commit ids
		Bitbucket: {"bitbucket-pull-merged", "pullrequest", "",
			"https://bitbucket.org/acme/docs/pull-requests/42"},
		BitbucketCenter: {"bitbucket-dc-pull-merged", "pullRequest", commit,
			"https://git.example.com/projects/ACME/repos/docs/pull-requests/42"},
	} {
		body := json.RawMessage(fixture(t, c.fixture))
		if c.part != "" {
			var whole map[string]json.RawMessage
			if err := json.Unmarshal(body, &whole); err != nil {
				t.Fatal(err)
			}
			body = whole[c.part]
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(body)
		}))
		opt := options(t, "https://git.example.com/acme/docs.git")
		servers, err := ParseServers([]string{"git.example.com=" + string(kind) + "@" + server.URL})
		if err != nil {
			t.Fatal(err)
		}
		opt.Servers, opt.Trusts = servers, func(string) bool { return true }
		host, err := Open(opt)
		if err != nil {
			t.Fatal(err)
		}
		want := pull.Pull{Number: 42, URL: c.url, State: pull.Merged, Draft: kind == GitLab, Title: "Fix two links",
			Head: "lectern/fix-links-0123456789", Base: "main", Commit: c.commit}
		if got, err := host.Get(t.Context(), 42); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", kind, got, err, want)
		}
		server.Close()
	}
}
