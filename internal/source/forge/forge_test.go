package forge

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
)

const (
	secret = "whsec_0123456789"
	commit = "7d5d0f0e2f6d3a9b1c4e8f7a6b5c4d3e2f1a0b9c"
)

func sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// host describes the headers of one code host's deliveries.
type host struct {
	header func(event string, body []byte) http.Header
	signed string // header with the signature or the secret
	event  string // its name for a push
}

func headers(pairs ...string) http.Header {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

var hosts = map[string]host{
	"github": {func(event string, body []byte) http.Header {
		return headers("X-GitHub-Event", event, "X-GitHub-Delivery", "d-1", "X-Hub-Signature-256", "sha256="+sign(body),
			"X-Hub-Signature", "sha1=00")
	}, "X-Hub-Signature-256", "push"},
	"gitea": {func(event string, body []byte) http.Header {
		return headers("X-Gitea-Event", event, "X-Gitea-Delivery", "d-1", "X-Gitea-Signature", sign(body),
			"X-GitHub-Event", event, "X-GitHub-Delivery", "other",
			"X-Hub-Signature-256", "sha256="+sign(body), "X-Gogs-Event", event)
	}, "X-Gitea-Signature", "push"},
	"forgejo": {func(event string, body []byte) http.Header {
		return headers("X-Forgejo-Event", event, "X-Forgejo-Delivery", "d-1", "X-Forgejo-Signature", sign(body),
			"X-GitHub-Event", event)
	}, "X-Forgejo-Signature", "push"},
	"gitlab": {func(event string, _ []byte) http.Header {
		return headers("X-Gitlab-Event", event, "X-Gitlab-Event-UUID", "d-1", "X-Gitlab-Token", secret)
	}, "X-Gitlab-Token", "Push Hook"},
	"bitbucket": {func(event string, body []byte) http.Header {
		return headers("X-Event-Key", event, "X-Request-UUID", "d-1", "X-Hub-Signature", "sha256="+sign(body))
	}, "X-Hub-Signature", "repo:push"},
	"bitbucket-dc": {func(event string, body []byte) http.Header {
		return headers("X-Event-Key", event, "X-Request-Id", "d-1", "X-Hub-Signature", "sha256="+sign(body))
	}, "X-Hub-Signature", "repo:refs_changed"},
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestPushesOfAllHostsParseToSameType(t *testing.T) {
	updated := Push{Delivery: "d-1", Repository: "acme/docs", Branch: "main", Commit: commit, More: []push.Change{}}
	deleted := Push{Delivery: "d-1", Repository: "acme/docs", Branch: "old/idea", Deleted: true, More: []push.Change{}}
	old := push.Change{Branch: "old/idea", Deleted: true}
	cloud := Push{Delivery: "d-1", Repository: "acme/docs", Branch: "refs/tags/v1.0.0",
		Commit: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", More: []push.Change{{Branch: "main", Commit: commit}, old}}
	center := Push{Delivery: "d-1", Repository: "ACME/docs", Branch: "main", Commit: commit,
		More: []push.Change{{Branch: "refs/tags/v1", Commit: commit}, old}}
	in := func(p Push, repository string) Push { p.Repository = repository; return p }
	cases := []struct {
		host, event, fixture string
		want                 Push
	}{
		{"github", "push", "github-push", updated},
		{"github", "push", "github-delete", deleted},
		{"gitea", "push", "gitea-push", updated},
		{"gitea", "delete", "gitea-delete", deleted},
		{"forgejo", "push", "gitea-push", updated},
		{"forgejo", "delete", "gitea-delete", deleted},
		{"gitlab", "Push Hook", "gitlab-push", in(updated, "acme/handbook/docs")},
		{"gitlab", "Push Hook", "gitlab-delete", in(deleted, "acme/handbook/docs")},
		{"bitbucket", "repo:push", "bitbucket-push", cloud},
		{"bitbucket-dc", "repo:refs_changed", "bitbucket-dc-push", center},
	}
	for _, c := range cases {
		body := fixture(t, c.fixture)
		got, err := ParsePush(hosts[c.host].header(c.event, body), body, secret)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %+v, %v; want %+v", c.host, c.fixture, got, err, c.want)
		}
	}
}

func TestFormEncodedEventIsParsed(t *testing.T) {
	body := []byte(url.Values{"payload": {string(fixture(t, "github-push"))}}.Encode())
	h := hosts["github"].header("push", body)
	h.Set("Content-Type", "application/x-www-form-urlencoded")
	if got, err := ParsePush(h, body, secret); err != nil || got.Commit != commit {
		t.Fatalf("%+v, %v", got, err)
	}
}

// W5: a changed byte, a missing or wrong signature, or an empty secret is refused before the body is parsed.
func TestEventsWithoutValidSignatureAreRefused(t *testing.T) {
	for name, x := range hosts {
		body := []byte(`{"ref": `) // not even JSON, because the signature is checked first
		good := x.header(x.event, body)
		attempts := map[string]func(http.Header) ([]byte, string){
			"missing": func(h http.Header) ([]byte, string) { h.Del(x.signed); return body, secret },
			"empty":   func(h http.Header) ([]byte, string) { h.Set(x.signed, ""); return body, secret },
			"not hex": func(h http.Header) ([]byte, string) { h.Set(x.signed, "sha256=zz"); return body, secret },
			"cut short": func(h http.Header) ([]byte, string) {
				h.Set(x.signed, h.Get(x.signed)[:12])
				return body, secret
			},
			"wrong": func(h http.Header) ([]byte, string) {
				h.Set(x.signed, "sha256="+strings.Repeat("00", 32))
				return body, secret
			},
			"other secret": func(http.Header) ([]byte, string) { return body, secret + "x" },
			"no secret":    func(http.Header) ([]byte, string) { return body, "" },
		}
		if name != "gitlab" { // GitLab's token does not cover the body
			attempts["changed body"] = func(http.Header) ([]byte, string) {
				return append(body[:len(body):len(body)], ' '), secret
			}
		}
		for what, change := range attempts {
			h := good.Clone()
			b, s := change(h)
			if _, err := ParsePush(h, b, s); !fault.Is(err, fault.Unauthenticated) ||
				!fault.HasCode(err, "bad_signature") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		if _, err := ParsePush(good, body, secret); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: an authentic body that is not JSON: %v", name, err)
		}
	}
}

// An empty secret on both sides must not match.
func TestEmptySecretIsRefused(t *testing.T) {
	mac := hmac.New(sha256.New, nil)
	mac.Write([]byte("{}"))
	empty := hex.EncodeToString(mac.Sum(nil))
	for _, h := range []http.Header{
		headers("X-GitHub-Event", "push", "X-Hub-Signature-256", "sha256="+empty),
		headers("X-Gitlab-Event", "Push Hook", "X-Gitlab-Token", ""),
		headers("X-Gitea-Event", "push", "X-Gitea-Signature", empty),
		headers("X-Event-Key", "repo:push", "X-Hub-Signature", "sha256="+empty),
	} {
		if _, err := ParsePush(h, []byte("{}"), ""); !fault.HasCode(err, "bad_signature") {
			t.Errorf("%v: %v", h, err)
		}
	}
}

func TestTagPushesKeepFullRefName(t *testing.T) {
	for _, c := range []struct {
		host, event, fixture, want string
		deleted                    bool
	}{
		{"github", "push", "github-tag", "refs/tags/v1.0.0", false},
		{"gitea", "push", "github-tag", "refs/tags/v1.0.0", false},
		{"gitea", "delete", "gitea-delete-tag", "refs/tags/v1.0.0", true},
		{"gitlab", "Tag Push Hook", "gitlab-tag", "refs/tags/v1.0.0", false},
		{"bitbucket", "repo:push", "bitbucket-tag", "refs/tags/v1", false},
	} {
		body := fixture(t, c.fixture)
		got, err := ParsePush(hosts[c.host].header(c.event, body), body, secret)
		if at := got.Changes()[0]; err != nil || at.Branch != c.want || at.Ref() != c.want || !at.Tag() || at.Deleted != c.deleted {
			t.Errorf("%s %s %s: %+v %v", c.host, c.event, c.fixture, got, err)
		}
	}
}

func TestEventsWithoutPushAreIgnored(t *testing.T) {
	for _, c := range []struct{ host, event, fixture string }{
		{"github", "ping", "github-push"}, {"github", "pull_request", "github-push"},
		{"gitea", "issues", "gitea-push"}, {"gitlab", "System Hook", "gitlab-push"}, {"bitbucket", "pullrequest:created", "bitbucket-push"},
		{"bitbucket-dc", "diagnostics:ping", "bitbucket-tag"},
	} {
		body := fixture(t, c.fixture)
		if _, err := ParsePush(hosts[c.host].header(c.event, body), body, secret); !errors.Is(err, ErrIgnored) {
			t.Errorf("%s %s %s: %v", c.host, c.event, c.fixture, err)
		}
	}
}

func TestMalformedEventsAreInvalid(t *testing.T) {
	for name, x := range hosts {
		for _, text := range []string{
			"", "[]", `"x"`, `{"ref": 5, "push": 5, "changes": 5}`,
			`{"ref": "main", "changes": [{"ref": {"id": "main"}}], "repository": {"slug": "d"}, "push": {"changes": [{"new": {"type": "branch"}}]}}`,
			`{"ref": "refs/heads/main", "after": "xyz", "repository": {"full_name": "a/b"}, "changes": [{"ref": {"id": "refs/heads/m"}, "toHash": "xyz"}], "push": {"changes": [{"new": {"type": "branch", "name": "m", "target": {"hash": "xyz"}}}]}}`,
			`{"ref": "refs/heads/main", "after": "` + commit + `"}`,
			`{"ref": "refs/heads/main", "repository": {"full_name": "a/b"}, "project": {"path_with_namespace": "a/b"}}`,
		} {
			body := []byte(text)
			if _, err := ParsePush(x.header(x.event, body), body, secret); !fault.Is(err, fault.Invalid) &&
				!(errors.Is(err, ErrIgnored) && strings.HasPrefix(name, "bitbucket")) {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
	}
	if _, err := ParsePush(headers(), []byte("{}"), secret); !fault.HasCode(err, "unknown_event") {
		t.Errorf("no host's headers: %v", err)
	}
}

func TestFindSearchesAllBranches(t *testing.T) {
	body := fixture(t, "bitbucket-push")
	p, err := ParsePush(hosts["bitbucket"].header("repo:push", body), body, secret)
	if err != nil {
		t.Fatal(err)
	}
	main, _ := p.Find("main")
	old, _ := p.Find("old/idea")
	if _, ok := p.Find("gone"); ok || main.Commit != commit || !old.Deleted {
		t.Fatalf("%+v %+v", main, old)
	}
}

// FuzzParsePush passes bodies with valid signatures to every driver. The result is complete, or one of the documented
// errors.
func FuzzParsePush(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, x := range hosts {
			p, err := ParsePush(x.header(x.event, body), body, secret)
			switch {
			case err == nil:
				if p.Repository == "" || p.Branch == "" || p.Deleted == (p.Commit != "") {
					t.Fatalf("%s: incomplete %+v", name, p)
				}
			case !errors.Is(err, ErrIgnored) && !fault.Is(err, fault.Invalid):
				t.Fatalf("%s: %v", name, err)
			}
		}
	})
}
