package forgetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// world is the state of a fake: one repository acme/docs with its pull requests. Handlers hold mu.
type world struct {
	t    testing.TB
	name string // the host's name, for messages
	key  string // the token that it accepts

	mu       sync.Mutex
	branches map[string]bool
	pulls    []*proposal // by number, from 1
	users    []string    // by number, from 1; the last one is the author of the pull requests
	now      time.Time
	url      string
	statuses map[string]pull.Status // by commit and name
	checks   []*CheckRun
	reports  []*Report
	// the credential may not create check runs or reports
	unchecked bool
	repos     []string // short names of further repositories
	hooks     []storedHook
	lastHook  int                     // id of the newest webhook
	issues    []*proposal             // by number, from firstIssue
	demoted   bool                    // the key may not manage webhooks
	releases  map[string]pull.Release // by tag
}

// proposal is a pull request in a world.
type proposal struct {
	number           int64
	title, body      string
	head, base       string
	state            string // open, merged or closed
	draft, fork      bool
	labels, reviewer []string
	remarks          []remark
	version          int64
	created          time.Time
}

type remark struct {
	id      int64
	author  string
	text    string
	at      Place
	when    time.Time
	version int64
}

const (
	owner, project = "acme", "docs"
	author         = "lectern-bot"
	colleague      = "quill"
	visitor        = "visitor" // may only read
)

func newWorld(t testing.TB, name string) *world {
	return &world{t: t, name: name, key: "key-of-" + name + "-0123456789abcdef",
		branches: map[string]bool{"main": true}, users: []string{colleague, author},
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), statuses: map[string]pull.Status{}}
}

// serve starts the fake. The handler is called with mu held.
func (w *world) serve(handler func(*call)) {
	server := httptest.NewServer(w.recorded(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		c := &call{world: w, ResponseWriter: rw, Request: r}
		handler(c)
		if !c.answered {
			c.wrong("nothing was answered")
		}
	}))
	w.t.Cleanup(server.Close)
	w.url = server.URL
}

// rig returns a Rig with the fields that all fakes share.
func (w *world) rig() *Rig {
	locked := func(do func()) { w.mu.Lock(); defer w.mu.Unlock(); do() }
	return &Rig{
		URL: w.url, Secrets: []string{w.key, "wrong-" + w.key}, Reviewer: colleague, Labels: true, Crowd: 230,
		Branch: func(_ testing.TB, name string) { locked(func() { w.branches[name] = true }) },
		Fork: func(_ testing.TB, name string) {
			locked(func() { w.add(&proposal{title: "Mine", head: name, base: "main", fork: true}) })
		},
		Merge: func(_ testing.TB, n int64) { locked(func() { w.pulls[n-1].state = "merged" }) },
		Close: func(_ testing.TB, n int64) { locked(func() { w.pulls[n-1].state = "closed" }) },
		Say:   func(_ testing.TB, n int64, text string) { locked(func() { w.addComment(n, Place{}, text) }) },
		SayAt: func(_ testing.TB, n int64, at Place, text string) { locked(func() { w.addComment(n, at, text) }) },
		Status: func(_ testing.TB, commit, name string) (s pull.Status) {
			locked(func() { s = w.statuses[commit+" "+name] })
			return s
		},
		Checks: func(name string) (list []CheckRun) {
			locked(func() {
				for _, one := range w.checks {
					if one.Name == name {
						list = append(list, *one)
					}
				}
			})
			return list
		},
		Reports: func() (list []Report) {
			locked(func() {
				for _, one := range w.reports {
					list = append(list, *one)
				}
			})
			return list
		},
		Uncheck: func() { locked(func() { w.unchecked = true }) },
		Writer:  pull.Person{Name: colleague, ID: "1"}, Reader: pull.Person{Name: visitor, ID: "77"},
		Stranger: pull.Person{Name: "nobody", ID: "99"},
		Demote:   func() { locked(func() { w.demoted = true }) },
		Issue: func(testing.TB) (n int64) {
			locked(func() {
				n = int64(len(w.issues)) + firstIssue
				w.issues = append(w.issues, &proposal{number: n, title: "Missing"})
			})
			return n
		},
		Replies: func(_ testing.TB, n int64) (list []string) {
			locked(func() {
				for _, r := range w.issues[n-firstIssue].remarks {
					list = append(list, r.text)
				}
			})
			return list
		},
		Shown: func(_ testing.TB, n int64) (s Shown) {
			locked(func() {
				p := w.pulls[n-1]
				s = Shown{Title: p.title, Body: p.body, Draft: p.draft, Labels: slices.Clone(p.labels),
					Reviewers: slices.Clone(p.reviewer)}
			})
			return s
		},
	}
}

func (w *world) tick() time.Time { w.now = w.now.Add(time.Second); return w.now }

func (w *world) add(p *proposal) *proposal {
	p.number, p.state, p.created = int64(len(w.pulls)+1), "open", w.tick()
	w.pulls = append(w.pulls, p)
	return p
}

// firstIssue is the number of the first issue. It is high because on most hosts issues and pull requests share one
// sequence of numbers.
const firstIssue = 7000

// level returns a user's access level; "" = the user is unknown.
func (w *world) level(name string) string {
	return map[string]string{colleague: "write", author: "admin", visitor: "read"}[name]
}

// issue returns the issue with a number from a path, or nil.
func (w *world) issue(number string) *proposal {
	n, err := strconv.Atoi(number)
	if err != nil || n < firstIssue || n >= firstIssue+len(w.issues) {
		return nil
	}
	return w.issues[n-firstIssue]
}

// addReply adds a comment by the key's account to an issue.
func (w *world) addReply(p *proposal, text string) remark {
	p.remarks = append(p.remarks, remark{id: 500_000 + p.number*1000 + int64(len(p.remarks)), author: author, text: text,
		when: w.tick()})
	return p.remarks[len(p.remarks)-1]
}

func (w *world) addComment(number int64, at Place, text string) {
	p := w.pulls[number-1]
	p.remarks = append(p.remarks, remark{id: number*1000 + int64(len(p.remarks)), author: colleague, text: text, at: at,
		when: w.tick()})
}

// addOwn adds a comment by the key's account and returns it.
func (w *world) addOwn(p *proposal, text string) remark {
	w.addComment(p.number, Place{}, text)
	own := &p.remarks[len(p.remarks)-1]
	own.author = author
	return *own
}

// own returns the comment with the id if the key's account wrote it, or nil.
func (p *proposal) own(id string) *remark {
	for i, r := range p.remarks {
		if strconv.FormatInt(r.id, 10) == id && r.author == author {
			return &p.remarks[i]
		}
	}
	return nil
}

// setStatus stores a status. words maps the host's terms to states.
func (c *call) setStatus(commit, name string, words map[string]pull.StatusState, in map[string]any, text, url string) {
	state, ok := words[fmt.Sprint(in["state"])]
	if !ok || len(commit) != 40 || name == "" || len(name) > 40 {
		c.wrong("status %v of %q", in, commit)
		return
	}
	s := pull.Status{Name: name, State: state}
	s.Text, _ = in[text].(string)
	s.URL, _ = in[url].(string)
	c.statuses[commit+" "+name] = s
}

// plainStates maps the terms of most hosts to states.
var plainStates = map[string]pull.StatusState{"pending": pull.Pending, "success": pull.Succeeded, "failure": pull.Failed,
	"error": pull.Errored}

// openFrom returns the open pull request from a branch of the repository itself, or nil.
func (w *world) openFrom(head, base string) *proposal {
	for _, p := range w.pulls {
		if p.head == head && (base == "" || p.base == base) && p.state == "open" && !p.fork {
			return p
		}
	}
	return nil
}

// newest lists the pull requests from a branch, newest first, including those from forks.
func (w *world) newest(head string) []*proposal {
	var list []*proposal
	for _, p := range slices.Backward(w.pulls) {
		if p.head == head {
			list = append(list, p)
		}
	}
	return list
}

// userID returns a user's number; 0 if the name is unknown.
func (w *world) userID(name string) int { return slices.Index(w.users, name) + 1 }

// commit returns a stable commit id for a pull request's branch.
func (p *proposal) commit() string {
	sum := sha256.Sum256([]byte(p.head + strconv.FormatBool(p.fork)))
	return hex.EncodeToString(sum[:20])
}

func (p *proposal) when() string { return p.created.Format(time.RFC3339) }

// source returns the full name of the repository with the changes.
func (p *proposal) source() string {
	if p.fork {
		return "stranger/" + project
	}
	return owner + "/" + project
}

// call is one request to a fake.
type call struct {
	*world
	http.ResponseWriter
	*http.Request
	answered bool
}

// wrong fails the test, because the driver sent a request that the host does not document.
func (c *call) wrong(format string, args ...any) {
	c.t.Errorf("%s: %s %s: %s", c.name, c.Method, c.URL, fmt.Sprintf(format, args...))
	c.say500()
}

func (c *call) say500() {
	if !c.answered {
		c.reply(http.StatusInternalServerError, map[string]string{"message": "the fake was misused"})
	}
}

func (c *call) reply(status int, body any) {
	c.answered = true
	c.ResponseWriter.Header().Set("Content-Type", "application/json; charset=utf-8")
	c.WriteHeader(status)
	_ = json.NewEncoder(c.ResponseWriter).Encode(body) // the driver may have disconnected
}

// queries rejects query parameters other than the allowed ones.
func (c *call) queries(allowed ...string) {
	for name := range c.URL.Query() {
		if !slices.Contains(allowed, name) {
			c.wrong("unknown parameter %q", name)
		}
	}
}

// fields decodes a JSON body. It rejects fields other than the allowed ones and requires those marked with an
// exclamation mark.
func (c *call) fields(allowed ...string) map[string]any {
	var body map[string]any
	if c.Request.Header.Get("Content-Type") != "application/json" {
		c.wrong("Content-Type is %q", c.Request.Header.Get("Content-Type"))
	}
	if err := json.NewDecoder(c.Body).Decode(&body); err != nil {
		c.wrong("the body is not JSON: %v", err)
	}
	for _, name := range allowed {
		if bare, must := strings.CutSuffix(name, "!"); must && body[bare] == nil {
			c.wrong("the body lacks %s", bare)
		}
	}
	for name := range body {
		if !slices.Contains(allowed, name) && !slices.Contains(allowed, name+"!") {
			c.wrong("unknown field %q", name)
		}
	}
	return body
}

// list decodes a JSON body that is a list.
func (c *call) list() (body []any) {
	if err := json.NewDecoder(c.Body).Decode(&body); err != nil {
		c.wrong("the body is not a JSON list: %v", err)
	}
	return body
}

// page returns the part of a list that the query selects and writes the link to the next page into the Link header.
func page[T any](c *call, list []T, sizeName string, most int) []T {
	size, number := 30, 1
	if text := c.URL.Query().Get(sizeName); text != "" {
		size, _ = strconv.Atoi(text)
	}
	if text := c.URL.Query().Get("page"); text != "" {
		number, _ = strconv.Atoi(text)
	}
	if size < 1 || size > most || number < 1 {
		c.wrong("page %d of size %d", number, size)
		return nil
	}
	from, to := min((number-1)*size, len(list)), min(number*size, len(list))
	if to < len(list) {
		const form = `<https://elsewhere.invalid/?page=%d>; rel="next", <https://elsewhere.invalid/?page=9>; rel="last"`
		c.ResponseWriter.Header().Set("Link", fmt.Sprintf(form, number+1))
	}
	return list[from:to]
}
