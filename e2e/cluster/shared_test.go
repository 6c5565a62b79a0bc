package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// A5, K6: a limit applies to all servers together: of the requests sent to three servers in turn, sequentially or
// concurrently, exactly as many are allowed as a single server would allow. When a key is revoked on one server, the
// others refuse it immediately.
func TestLimitsAndKeysAreShared(t *testing.T) {
	t.Parallel()
	const limit = 60
	c := newCluster(t, 3, 0, "LECTERN_RATE_LIMIT="+strconv.Itoa(limit))
	c.checkOneStart()
	for name, spread := range map[string]func(int, func(int)){"one after the other": sequentially, "at once": concurrently} {
		allowed, whole := 0, false
		for try := 0; !whole && try < 3; try++ { // if the minute ends in between, a new count begins
			_, key := c.organization(name)
			allowed, whole = c.countAllowed(key, 2*limit, spread)
		}
		if !whole || allowed != limit {
			t.Errorf("%s: %d requests were answered, want %d", name, allowed, limit)
		}
	}
	c.checkRevocation()
}

func sequentially(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

func concurrently(n int, f func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// countAllowed sends requests and returns how many were allowed, and whether all of them fell into one minute.
func (c *cluster) countAllowed(key string, n int, spread func(int, func(int))) (allowed int, whole bool) {
	c.t.Helper()
	var mu sync.Mutex
	whole = true
	least := 61
	spread(n, func(i int) {
		r := c.getOrganization(c.servers[i%len(c.servers)], key)
		reset, err := strconv.Atoi(r.Header.Get("RateLimit-Reset"))
		mu.Lock()
		defer mu.Unlock()
		whole = whole && err == nil && reset <= least+5 // the value only falls, unless responses arrive out of order
		least = min(least, reset)
		switch r.StatusCode {
		case http.StatusOK:
			allowed++
		case http.StatusTooManyRequests:
			if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Remaining") != "0" {
				c.t.Errorf("a refusal has no Retry-After: %v", r.Header)
			}
		default:
			c.t.Errorf("got status %d", r.StatusCode)
		}
	})
	return allowed, whole
}

// getOrganization reads the organization with a key on one server.
func (c *cluster) getOrganization(m *machine, key string) *http.Response {
	req, err := http.NewRequest(http.MethodGet, "http://"+m.address+"/v1/organization", nil)
	if err != nil {
		c.t.Error(err)
		return &http.Response{}
	}
	req.Header.Set("Authorization", "Bearer "+key)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Error(err)
		return &http.Response{}
	}
	_, _ = io.Copy(io.Discard, r.Body) // only the status counts
	_ = r.Body.Close()
	return r
}

// checkOneStart checks that three servers started at once on an empty database created one organization, and one of
// them its first key.
func (c *cluster) checkOneStart() {
	c.t.Helper()
	if got := c.query(
		`SELECT (SELECT count(*) FROM organizations), (SELECT count(*) FROM api_keys), (SELECT count(*) FROM projects)`); got != "1|1|0" {
		c.t.Errorf("organizations, keys, projects after the first start: %s", got)
	}
}

func (c *cluster) checkRevocation() {
	c.t.Helper()
	o, _ := c.organization("Revoked")
	made, err := o.CreateKey(context.Background(), client.CreateKey{Label: "To go"})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, s := range c.servers {
		if got := c.getOrganization(s, made.Secret).StatusCode; got != http.StatusOK {
			c.t.Errorf("%s: a new key gets %d", s.name, got)
		}
	}
	if err := o.RevokeKey(context.Background(), made.KeyID, client.RevokeKeyParams{}); err != nil {
		c.t.Fatal(err)
	}
	for _, s := range c.servers {
		if got := c.getOrganization(s, made.Secret).StatusCode; got != http.StatusUnauthorized {
			c.t.Errorf("%s: a revoked key gets %d", s.name, got)
		}
	}
}

const password = "paper lantern over gravel"

var (
	ownerLink = regexp.MustCompile(`http://\S+/dashboard/join\?token=(\S+)`)
	keyShape  = regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`)
	formToken = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
)

// K10: a person who signs in on one server is signed in on all, and signing out on one signs out everywhere. Wrong
// passwords are counted across all servers.
func TestSessionsAndWrongPasswordsAreShared(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2, 0)
	a, b := c.servers[0], c.servers[1]
	a.current().Await("the owner's link", func() bool { return ownerLink.MatchString(a.log()) })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	person := &http.Client{Jar: jar} // cookies ignore ports, so all servers receive them
	token := ownerLink.FindStringSubmatch(a.log())[1]
	c.submit(person, a, "/dashboard/join",
		url.Values{"token": {token}, "email": {"owner@example.com"}, "password": {password}}, "/dashboard/")
	if code, html, path := c.open(person, b, "/dashboard/account"); code != http.StatusOK ||
		path != "/dashboard/account" || !strings.Contains(html, "owner@example.com") {
		t.Fatalf("signed in on the first server, but the second returns %d at %s", code, path)
	}
	_, html, _ := c.open(person, b, "/dashboard/account")
	c.submit(person, b, "/dashboard/sign-out", url.Values{"csrf": {formToken.FindStringSubmatch(html)[1]}},
		"/dashboard/sign-in")
	for _, s := range c.servers {
		if _, html, path := c.open(person, s, "/dashboard/account"); path == "/dashboard/account" ||
			strings.Contains(html, "owner@example.com") {
			t.Errorf("%s: still signed in at %s", s.name, path)
		}
	}
	c.checkWrongPasswords()
}

// checkWrongPasswords tries wrong passwords on all servers in turn. After ten in total, all servers refuse the right
// password, too.
func (c *cluster) checkWrongPasswords() {
	c.t.Helper()
	guess := func(m *machine, word string) int {
		r, err := http.PostForm("http://"+m.address+"/dashboard/sign-in",
			url.Values{"email": {"owner@example.com"}, "password": {word}})
		if err != nil {
			c.t.Fatal(err)
		}
		_ = r.Body.Close() // only the status counts
		return r.StatusCode
	}
	wrong := map[int]int{}
	for i := range 10 {
		wrong[guess(c.servers[i%len(c.servers)], fmt.Sprintf("guess number %d", i))]++
	}
	if wrong[http.StatusTooManyRequests] > 0 || wrong[http.StatusOK] > 0 {
		c.t.Errorf("ten wrong passwords: %v", wrong)
	}
	for _, s := range c.servers {
		if got := guess(s, password); got != http.StatusTooManyRequests {
			c.t.Errorf("%s: after ten wrong passwords the next gets %d", s.name, got)
		}
	}
}

// submit sends a form and fails the test unless it redirects to a path.
func (c *cluster) submit(browser *http.Client, m *machine, path string, form url.Values, want string) {
	c.t.Helper()
	r, err := browser.PostForm("http://"+m.address+path, form)
	if err != nil {
		c.t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	_ = r.Body.Close() // read
	if r.StatusCode != http.StatusOK || r.Request.URL.Path != want {
		c.t.Fatalf("%s redirects to %d %s\n%.2000s", path, r.StatusCode, r.Request.URL.Path, body)
	}
}

// open reads a dashboard page. where is the path after redirects.
func (c *cluster) open(browser *http.Client, m *machine, path string) (code int, html, where string) {
	c.t.Helper()
	r, err := browser.Get("http://" + m.address + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // read
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return r.StatusCode, string(body), r.Request.URL.Path
}
