package forge

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

func TestParseRepositoryAcceptsCloneURLs(t *testing.T) {
	for raw, want := range map[string]Repository{
		"https://github.com/acme/docs.git":                 {"https", "github.com", "", "acme/docs"},
		"https://user@GitHub.com/acme/docs/":               {"https", "github.com", "", "acme/docs"},
		"git@github.com:acme/docs.git":                     {"ssh", "github.com", "", "acme/docs"},
		"github.com:acme/docs":                             {"ssh", "github.com", "", "acme/docs"},
		"ssh://git@git.example.com:2222/acme/docs.git":     {"ssh", "git.example.com", "2222", "acme/docs"},
		"https://gitlab.com/a/b/c/d.git":                   {"https", "gitlab.com", "", "a/b/c/d"},
		"git@gitlab.com:a/b/c.git":                         {"ssh", "gitlab.com", "", "a/b/c"},
		"http://git.internal:3000/acme/docs.wiki.git":      {"http", "git.internal", "3000", "acme/docs.wiki"},
		"ssh://git@[::1]:22/acme/docs":                     {"ssh", "::1", "22", "acme/docs"},
		"git@[2001:db8::1]:acme/docs.git":                  {"ssh", "2001:db8::1", "", "acme/docs"},
		"https://git.example.com/scm/~jo/docs.git":         {"https", "git.example.com", "", "scm/~jo/docs"},
		"ssh://git@ssh.github.com:443/acme/docs.github.io": {"ssh", "ssh.github.com", "443", "acme/docs.github.io"},
	} {
		if got, err := ParseRepository(raw); err != nil || got != want {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
	for _, raw := range []string{
		"", "x", "/srv/docs.git", "file:///srv/docs.git", "https://github.com", "https://github.com/acme",
		"git@github.com:docs", "https://github.com/acme/../x", "https://github.com/a//b",
		"https://github.com/a/b?x=1", "https://github.com/a/b#x", "https://github.com/a%2Fb/c", "ext::sh -c x",
		"git@host::x/y", "https://a b/c/d", "https://github.com/a/b\n", "ftp://h/a/b", "https://gïthub.com/a/b",
		"https://" + strings.Repeat("x", 3000) + "/a/b", "https://host:port/a/b", "git@-oProxyCommand=x:a/b",
	} {
		if got, err := ParseRepository(raw); !fault.HasCode(err, "forge_unknown_host") {
			t.Errorf("%q: %+v, %v", raw, got, err)
		}
	}
}

func FuzzParseRepository(f *testing.F) {
	for _, s := range []string{"https://github.com/acme/docs.git", "git@[::1]:a/b", "ssh://git@h:22/a/b/c", "a:b/c",
		"https://h/%2e%2e/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := ParseRepository(raw)
		if err != nil {
			if !fault.HasCode(err, "forge_unknown_host") {
				t.Fatal(err)
			}
			return
		}
		for _, part := range strings.Split(r.Path, "/") {
			if part == "" || part == "." || part == ".." {
				t.Fatalf("%q has the path %q", raw, r.Path)
			}
		}
		again, err := ParseRepository(r.Web())
		if err != nil || again.Path != strings.TrimSuffix(r.Path, ".git") || again.Host != r.Host {
			t.Fatalf("%q: %+v became %+v, %v", raw, r, again, err)
		}
	})
}

func TestDriverIsSelectedByHost(t *testing.T) {
	servers, err := ParseServers([]string{"git.internal=forgejo", "Git.Internal:3000=gitea",
		"code.example.com=gitlab@https://code.example.com/gitlab", " ghe.example.com=github ",
		"bb.example.com=bitbucket-data-center", "mirror.example.com=github@https://api.mirror.example.com",
		"lab.example.com=gitlab@https://lab.example.com/api/v4/"})
	if err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]place{
		"https://github.com/acme/docs.git":           {Server{GitHub, "https://api.github.com"}, "acme", "docs"},
		"ssh://git@ssh.github.com:443/acme/docs.git": {Server{GitHub, "https://api.github.com"}, "acme", "docs"},
		"git@gitlab.com:a/b/c.git":                   {Server{GitLab, "https://gitlab.com/api/v4"}, "a/b", "c"},
		"https://bitbucket.org/acme/docs": {Server{Bitbucket, "https://api.bitbucket.org/2.0"}, "acme",
			"docs"},
		"https://codeberg.org/acme/docs.git": {Server{Gitea, "https://codeberg.org/api/v1"}, "acme",
			"docs"},
		"https://corp.ghe.com/acme/docs.git": {Server{GitHub, "https://api.corp.ghe.com"}, "acme", "docs"},
		"https://ghe.example.com/acme/docs.git": {Server{GitHub, "https://ghe.example.com/api/v3"}, "acme",
			"docs"},
		"git@mirror.example.com:acme/docs": {Server{GitHub, "https://api.mirror.example.com"}, "acme",
			"docs"},
		"http://git.internal:3000/acme/docs.git": {Server{Gitea, "http://git.internal:3000/api/v1"}, "acme",
			"docs"},
		"ssh://git@git.internal:2222/acme/docs.git": {Server{Gitea, "https://git.internal/api/v1"}, "acme",
			"docs"},
		"https://code.example.com/gitlab/a/b/c.git": {Server{GitLab, "https://code.example.com/gitlab/api/v4"},
			"a/b", "c"},
		"git@code.example.com:a/b/c.git": {Server{GitLab, "https://code.example.com/gitlab/api/v4"},
			"a/b", "c"},
		"https://lab.example.com/a/b.git": {Server{GitLab, "https://lab.example.com/api/v4"}, "a", "b"},
		"https://bb.example.com/scm/ACME/docs.git": {Server{BitbucketCenter,
			"https://bb.example.com/rest/api/1.0"}, "ACME", "docs"},
		"ssh://git@bb.example.com:7999/~jo/docs.git": {Server{BitbucketCenter,
			"https://bb.example.com/rest/api/1.0"}, "~jo", "docs"},
		"https://git.internal/acme/docs.with.dots.git": {Server{Gitea, "https://git.internal/api/v1"}, "acme",
			"docs.with.dots"},
		"https://www.github.com/acme/docs.git.git": {Server{GitHub, "https://api.github.com"}, "acme",
			"docs.git"},
		"ssh://git@altssh.bitbucket.org:443/acme/docs": {Server{Bitbucket, "https://api.bitbucket.org/2.0"}, "acme",
			"docs"},
		"https://token@gitea.com/acme/docs.git": {Server{Gitea, "https://gitea.com/api/v1"}, "acme", "docs"},
		"https://gitlab.com/group/sub/deeper/still/docs": {Server{GitLab, "https://gitlab.com/api/v4"},
			"group/sub/deeper/still", "docs"},
	} {
		if got, err := locate(raw, servers); err != nil || got != want {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
	for _, raw := range []string{"https://unknown.example.com/a/b.git", "https://github.com/a/b/c.git", "/srv/docs.git",
		"https://github.com.evil.example/a/b"} {
		if got, err := locate(raw, servers); !fault.HasCode(err, "forge_unknown_host") {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
}

func TestInvalidServerEntryIsReported(t *testing.T) {
	for _, bad := range []string{"", "host", "host=", "host=svn", "=gitlab", "host/path=gitlab", "host=gitlab@ftp://x",
		"host=gitlab@https://u:hunter2@x", "host=svn@https://u:hunter2@x", "host=gitlab@nothing", "a b=gitea",
		"https://host=gitea"} {
		shown, _, _ := strings.Cut(bad, "@")
		if _, err := ParseServers([]string{"good.example.com=gitea", bad}); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("%q", shown)) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func options(t *testing.T, repository string) Options {
	return Options{Repository: repository, Credential: Credential{User: "u", Password: "tok-secret"},
		HTTP: forgetest.Client(t), Trusts: func(string) bool { return false },
		Tokens: NewTokens(forgetest.Client(t), time.Now), Now: time.Now}
}

func TestOpenRefusesUnsupportedRepositories(t *testing.T) {
	plain := options(t, "http://git.internal/acme/docs.git")
	plain.Servers = Servers{"git.internal": {Kind: Gitea}}
	app := options(t, "https://gitlab.com/acme/docs.git")
	app.Credential = Credential{App: &App{ID: "1"}}
	for code, opt := range map[string]Options{"insecure_repository_url": plain, "bad_credential": app,
		"forge_unknown_host": options(t, "/srv/docs.git")} {
		if _, err := Open(opt); !fault.HasCode(err, code) ||
			strings.Contains(fmt.Sprintf("%v %+v %#v", err, opt.Credential, opt.Credential), "tok-secret") {
			t.Errorf("%s: %v", code, err)
		}
	}
	plain.Trusts = func(host string) bool { return host == "git.internal" }
	if _, err := Open(plain); err != nil {
		t.Errorf("a trusted host: %v", err)
	}
	if _, err := GitToken(t.Context(), app.Tokens, App{ID: "1"}, nil, "https://gitlab.com/a/b",
		Use{}); !fault.HasCode(err, "bad_credential") {
		t.Errorf("an App for another host: %v", err)
	}
}

// Each kind is opened with its own driver at the address that the operator configured, and sends its key in the format
// that the host expects.
func TestOpenSupportsEveryKind(t *testing.T) {
	for kind, want := range map[Kind]string{
		GitHub:          "/api/v3/repos/acme/docs/pulls Bearer tok-secret",
		GitLab:          "/api/v4/projects/acme%2Fdocs/merge_requests Bearer tok-secret",
		Gitea:           "/api/v1/repos/acme/docs/pulls Basic dTp0b2stc2VjcmV0",
		Bitbucket:       "/repositories/acme/docs/pullrequests Basic dTp0b2stc2VjcmV0",
		BitbucketCenter: "/rest/api/1.0/projects/acme/repos/docs/pull-requests Basic dTp0b2stc2VjcmV0",
	} {
		asked := make(chan string, 4)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.EscapedPath() + " " + r.Header.Get("Authorization")
			w.WriteHeader(http.StatusNotFound)
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
		var _ pull.Host = host
		if _, err := host.Find(context.Background(), "lectern/x"); !fault.HasCode(err, "forge_not_found") {
			t.Errorf("%s: %v", kind, err)
		}
		if got := <-asked; got != want {
			t.Errorf("%s asked for %s", kind, got)
		}
		server.Close()
	}
}
