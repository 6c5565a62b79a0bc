package gitea_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/gitea"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
	testgitea "github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

var (
	server    *testgitea.Server
	bot       = once() // shared by all tests, because creating a user takes longer than most tests
	colleague = once()
	reader    = once()
)

// patience is the time limit for the server's background work.
const patience = time.Minute

// once returns a function that creates a user on its first call.
func once() func(testing.TB) testgitea.User {
	var made testgitea.User
	return func(t testing.TB) testgitea.User {
		if made.Name == "" {
			made = server.User(t)
		}
		return made
	}
}

func TestMain(m *testing.M) {
	var err error
	if server, err = testgitea.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

// A token may be sent alone, or as a user's password.
func TestBothKeyFormatsAreAccepted(t *testing.T) {
	p := newPeople(t)
	server.Call(t, p.bot, http.MethodPatch, p.repo.Path(), map[string]any{"private": true}, nil)
	for _, key := range []rest.Key{{User: p.bot.Token}, {Password: p.bot.Token},
		{User: p.bot.Name, Password: p.bot.Token}} {
		if _, err := p.host(t, server.URL, p.repo.Name, key).
			Find(t.Context(), "lectern/x"); !fault.HasCode(err, "unknown_pull") {
			t.Error(err)
		}
	}
	if _, err := p.host(t, server.URL, p.repo.Name, rest.Key{}).
		Find(t.Context(), "lectern/x"); !fault.HasCode(err, "forge_not_found") {
		t.Errorf("without a key: %v", err)
	}
}

// people are the users who act on a repository: its owner, whose key the driver uses, and a colleague.
type people struct {
	bot, colleague testgitea.User
	repo           testgitea.Repository
}

func newPeople(t *testing.T) people {
	t.Helper()
	p := people{bot: bot(t), colleague: colleague(t)}
	p.repo = server.Repository(t, p.bot, map[string]string{"docs/index.md": "# Hello\n"})
	server.Call(t, p.bot, http.MethodPut, p.repo.Path()+"/collaborators/"+p.colleague.Name,
		map[string]any{"permission": "write"}, nil)
	return p
}

func (p people) host(t *testing.T, url, name string, key rest.Key) pull.Host {
	return gitea.New(gitea.Options{API: url + "/api/v1", Owner: p.repo.Owner, Name: name, HTTP: forgetest.Client(t),
		Now: time.Now, Key: key})
}

func newRig(t *testing.T) *forgetest.Rig {
	p := newPeople(t)
	at := func(n int64) string { return p.repo.Path() + "/pulls/" + strconv.FormatInt(n, 10) }
	reader := reader(t)
	server.Call(t, p.bot, http.MethodPut, p.repo.Path()+"/collaborators/"+reader.Name,
		map[string]any{"permission": "read"}, nil)
	issue := func(n int64) string { return p.repo.Path() + "/issues/" + strconv.FormatInt(n, 10) }
	return &forgetest.Rig{
		Writer: pull.Person{Name: p.colleague.Name}, Reader: pull.Person{Name: reader.Name},
		Stranger: pull.Person{Name: "nobody-here"},
		Issue: func(t testing.TB) int64 {
			var made struct{ Number int64 }
			server.Call(t, p.colleague, http.MethodPost, p.repo.Path()+"/issues", map[string]any{"title": "Missing"}, &made)
			return made.Number
		},
		Replies: func(t testing.TB, n int64) (list []string) {
			var found []struct{ Body string }
			server.Call(t, p.colleague, http.MethodGet, issue(n)+"/comments", nil, &found)
			for _, one := range found {
				list = append(list, one.Body)
			}
			return list
		},
		URL: server.URL, Secrets: []string{p.bot.Token, "wrong-" + p.bot.Token}, Labels: true, Crowd: 55,
		Reviewer: p.colleague.Name,
		Open: func(url string, a forgetest.Access) pull.Host {
			name, key := p.repo.Name, rest.Key{User: p.bot.Name, Password: p.bot.Token}
			switch a {
			case forgetest.WrongKey:
				key.Password = "wrong-" + key.Password
			case forgetest.NoSuchPlace:
				name = "nothing"
			}
			return p.host(t, url, name, key)
		},
		Branch: func(t testing.TB, name string) {
			server.Commit(t, p.bot, p.repo, name, map[string]string{forgetest.Changed.File: "changed\n"})
		},
		Fork:  func(t testing.TB, branch string) { p.fork(t, branch) },
		Merge: func(t testing.TB, n int64) { p.merge(t, n) },
		Close: func(t testing.TB, n int64) {
			server.Call(t, p.colleague, http.MethodPatch, at(n), map[string]any{"state": "closed"}, nil)
		},
		Say: func(t testing.TB, n int64, text string) {
			server.Call(t, p.colleague, http.MethodPost, p.repo.Path()+"/issues/"+strconv.FormatInt(n, 10)+"/comments",
				map[string]any{"body": text}, nil)
		},
		SayAt: func(t testing.TB, n int64, place forgetest.Place, text string) {
			server.Call(t, p.colleague, http.MethodPost, at(n)+"/reviews", map[string]any{"event": "COMMENT",
				"comments": []map[string]any{{"path": place.File, "new_position": place.Line, "body": text}}}, nil)
		},
		Release: func(t testing.TB, tag, title, notes string) {
			server.Call(t, p.colleague, http.MethodPost, p.repo.Path()+"/releases", map[string]any{"tag_name": tag,
				"target_commitish": "main", "name": title, "body": notes}, nil)
		},
		Tag: func(t testing.TB, name string) {
			server.Call(t, p.colleague, http.MethodPost, p.repo.Path()+"/tags", map[string]any{"tag_name": name, "target": "main"}, nil)
		},
		Status: func(t testing.TB, commit, name string) (s pull.Status) { return p.status(t, commit, name) },
		Shown:  func(t testing.TB, n int64) forgetest.Shown { return p.shown(t, n) },
	}
}

// fork creates a fork and a pull request from its branch.
func (p people) fork(t testing.TB, branch string) {
	t.Helper()
	stranger := server.User(t)
	server.Call(t, stranger, http.MethodPost, p.repo.Path()+"/forks", map[string]any{}, nil)
	forked := testgitea.Repository{Owner: stranger.Name, Name: p.repo.Name}
	server.Commit(t, stranger, forked, branch, map[string]string{"docs/stranger.md": "mine\n"})
	server.Call(t, stranger, http.MethodPost, p.repo.Path()+"/pulls",
		map[string]any{"head": stranger.Name + ":" + branch, "base": "main", "title": "Mine"}, nil)
}

// merge merges like a person, once the server has determined that it is possible.
func (p people) merge(t testing.TB, number int64) {
	t.Helper()
	at := p.repo.Path() + "/pulls/" + strconv.FormatInt(number, 10)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// Right after a push, Gitea is still checking for conflicts and responds that the request should be retried.
	for {
		err := server.Try(ctx, p.colleague, http.MethodPost, at+"/merge",
			map[string]any{"Do": "merge", "delete_branch_after_merge": true}, nil)
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("the pull request cannot be merged: %v", err)
		}
	}
}

func (p people) status(t testing.TB, commit, name string) (s pull.Status) {
	t.Helper()
	var found struct {
		Statuses []struct {
			Status, Context, Description string
			TargetURL                    string `json:"target_url"`
		}
	}
	server.Call(t, p.colleague, http.MethodGet, p.repo.Path()+"/commits/"+commit+"/status", nil, &found)
	for _, one := range found.Statuses {
		if one.Context == name {
			s = pull.Status{Name: name, State: pull.StatusState(one.Status), Text: one.Description, URL: one.TargetURL}
		}
	}
	return s
}

func (p people) shown(t testing.TB, number int64) forgetest.Shown {
	t.Helper()
	var found struct {
		Title, Body string
		Draft       bool
		Labels      []struct{ Name string }
		Reviewers   []struct{ Login string } `json:"requested_reviewers"`
	}
	server.Call(t, p.colleague, http.MethodGet, p.repo.Path()+"/pulls/"+url.PathEscape(strconv.FormatInt(number, 10)),
		nil, &found)
	s := forgetest.Shown{Title: found.Title, Body: found.Body, Draft: found.Draft}
	for _, l := range found.Labels {
		s.Labels = append(s.Labels, l.Name)
	}
	for _, r := range found.Reviewers {
		s.Reviewers = append(s.Reviewers, r.Login)
	}
	return s
}

// A real server's deliveries are parsed as a push and as the end of a pull request whose branch was deleted.
func TestDeliveriesOfRealServerAreParsed(t *testing.T) {
	p := newPeople(t)
	const secret, branch = "whsec_of_tests", "lectern/real-0123456789"
	type delivery struct {
		header http.Header
		body   []byte
	}
	deliveries := make(chan delivery, 32)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the test has already ended; a missing delivery is detected below
		}
		deliveries <- delivery{r.Header, body}
	}))
	t.Cleanup(receiver.Close)
	server.Call(t, p.bot, http.MethodPost, p.repo.Path()+"/hooks",
		map[string]any{"type": "gitea", "active": true, "events": []string{"push", "pull_request"},
			"config": map[string]string{"url": receiver.URL, "content_type": "json", "secret": secret}}, nil)
	server.Commit(t, p.bot, p.repo, branch, map[string]string{forgetest.Changed.File: "changed\n"})
	opened, err := p.host(t, server.URL, p.repo.Name, rest.Key{User: p.bot.Token}).
		Open(t.Context(), pull.Request{Title: "Real", Head: branch, Base: "main"})
	if err != nil {
		t.Fatal(err)
	}
	p.merge(t, opened.Number)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	pushed := map[string]bool{}
	for merged := false; !merged || !pushed["main"] || !pushed[branch]; {
		select {
		case d := <-deliveries:
			if _, err := forge.ParseEvent(d.header, d.body, secret+"x"); !fault.HasCode(err, "bad_signature") {
				t.Fatalf("another secret: %v", err)
			}
			e, err := forge.ParseEvent(d.header, d.body, secret)
			switch {
			case errors.Is(err, forge.ErrIgnored):
			case err != nil:
				t.Fatalf("%v: %s", err, d.body)
			case e.Push != nil:
				pushed[e.Push.Branch] = true
			case e.Pull.Change != pull.Ended:
				if e.Pull.Head != branch || e.Pull.Number != opened.Number || e.Pull.HeadCommit == "" {
					t.Errorf("%+v", *e.Pull)
				}
			default:
				merged = true
				if e.Pull.State != pull.Merged || e.Pull.Head != branch || e.Pull.Number != opened.Number ||
					e.Pull.URL != opened.URL || e.Pull.Repository != p.repo.Owner+"/"+p.repo.Name ||
					e.Pull.Commit == "" || e.Pull.Delivery == "" {
					t.Errorf("%+v", *e.Pull)
				}
			}
		case <-ctx.Done():
			t.Fatal("the server sent too few deliveries")
		}
	}
}
