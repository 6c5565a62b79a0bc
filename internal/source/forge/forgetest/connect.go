package forgetest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
)

// Connection is a code host under test, as seen by people who connect it. It has the Rig's repository and others.
type Connection struct {
	Account func(a Access) connect.Account
	Place   func(a Access) connect.Place
	Login   string                             // account of the valid key
	Names   []string                           // names of all listed repositories; some contain "guide"
	Hooks   func(t testing.TB) []InstalledHook // the webhooks visible to people
	Demote  func(t testing.TB)                 // revokes the key's permission to manage webhooks
	Secrets []string                           // texts that must not occur in errors
	PerPage int                                // number of webhooks on one page of the host; 0 = 100
}

// InstalledHook is a webhook at a host. Secret is "" if the host does not show it.
type InstalledHook struct {
	URL, Secret string
	Events      []string
}

// RunConnect tests that a driver satisfies the contract of connect.
func RunConnect(t *testing.T, start func(t *testing.T) *Connection) {
	for name, part := range map[string]func(*testing.T, *Connection){
		"KeyIsIdentified":             identified,
		"RepositoriesAreListed":       listed,
		"RepositoriesAreSearched":     searched,
		"RightsAreReported":           reported,
		"WebhookIsCreatedOnce":        hookOnce,
		"WebhookIsFoundAmongMany":     hookAmongMany,
		"WebhookIsDeleted":            hookDeleted,
		"MissingPermissionIsReported": hookRefused,
	} {
		t.Run(name, func(t *testing.T) { part(t, start(t)) })
	}
}

func identified(t *testing.T, c *Connection) {
	who, err := c.Account(Right).Identify(t.Context())
	if err != nil || who.Name != c.Login || len(who.Lacks) > 0 {
		t.Errorf("got %+v, %v", who, err)
	}
	_, err = c.Account(WrongKey).Identify(t.Context())
	c.refused(t, err, "forge_key_refused")
	_, err = c.Account(WrongKey).List(t.Context(), connect.Query{Limit: 10})
	c.refused(t, err, "forge_key_refused")
	_, err = c.Place(NoSuchPlace).Rights(t.Context())
	c.refused(t, err, "forge_not_found")
	_, err = c.Place(NoSuchPlace).PutHook(t.Context(), hook("1"))
	c.refused(t, err, "forge_not_found")
}

func (c *Connection) refused(t *testing.T, err error, code string) {
	t.Helper()
	if !fault.HasCode(err, code) {
		t.Errorf("got %v, want %s", err, code)
	}
	text := fmt.Sprintf("%v %+v", err, err)
	for _, secret := range c.Secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the error contains a secret: %s", text)
		}
	}
}

// all reads a whole list, in pages of the query's size.
func (c *Connection) all(t *testing.T, q connect.Query) []string {
	t.Helper()
	var names []string
	for range 1000 {
		page, err := c.Account(Right).List(t.Context(), q)
		if err != nil || len(page.Repositories) > q.Limit {
			t.Fatalf("%d repositories, %v", len(page.Repositories), err)
		}
		for _, r := range page.Repositories {
			names = append(names, r.Name)
			if !strings.HasPrefix(r.URL, "http") || strings.Contains(r.URL, "@") {
				t.Errorf("%s has the address %q", r.Name, r.URL)
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			slices.Sort(names)
			return names
		}
	}
	t.Fatal("the list does not end")
	return nil
}

func listed(t *testing.T, c *Connection) {
	slices.Sort(c.Names)
	for _, size := range []int{7, 100} {
		if got := c.all(t, connect.Query{Limit: size}); !slices.Equal(got, c.Names) {
			t.Errorf("in pages of %d: %v, want %v", size, got, c.Names)
		}
	}
	one := c.Names[0]
	if got := c.all(t, connect.Query{Limit: 5, Keep: func(r connect.Repository) bool { return r.Name == one }}); !slices.Equal(got,
		[]string{one}) {
		t.Errorf("kept %v", got)
	}
	for _, bad := range []string{"x", ".", "1", "-1.0", "1.-1", "../x.0"} {
		if _, err := c.Account(Right).List(t.Context(), connect.Query{Limit: 5, Cursor: bad}); !fault.Is(err, fault.Invalid) {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
}

func searched(t *testing.T, c *Connection) {
	want := slices.DeleteFunc(slices.Clone(c.Names), func(name string) bool { return !strings.Contains(name, "guide") })
	slices.Sort(want)
	if got := c.all(t, connect.Query{Limit: 100, Search: "GUIDE"}); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := c.all(t, connect.Query{Limit: 100, Search: want[0]}); !slices.Contains(got, want[0]) {
		t.Errorf("by its full name: %v", got)
	}
	if got := c.all(t, connect.Query{Limit: 100, Search: `no"such\one`}); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}

func reported(t *testing.T, c *Connection) {
	rights, err := c.Place(Right).Rights(t.Context())
	if err != nil || rights.Write == connect.Missing || rights.Webhooks != connect.Allowed {
		t.Errorf("got %+v, %v", rights, err)
	}
	c.Demote(t)
	if rights, err = c.Place(Right).Rights(t.Context()); err != nil || rights.Webhooks != connect.Missing {
		t.Errorf("without the permission: %+v, %v", rights, err)
	}
}

func hook(secret string) connect.Hook {
	return connect.Hook{URL: "https://docs.example.com/v1/webhook/prj_a", Secret: "secret-" + secret}
}

func hookOnce(t *testing.T, c *Connection) {
	place := c.Place(Right)
	only := hook("0")
	only.OnlyChange = true
	if got, err := place.PutHook(t.Context(), only); err != nil || got != connect.Absent || len(c.Hooks(t)) > 0 {
		t.Fatalf("changing a missing webhook: %v, %v", got, err)
	}
	for i, secret := range []string{"1", "2"} {
		one, want := hook(secret), []connect.Outcome{connect.Created, connect.Changed}[i]
		one.OnlyChange = i == 1
		if outcome, err := place.PutHook(t.Context(), one); err != nil || outcome != want {
			t.Fatalf("%d: %v, %v", i, outcome, err)
		}
		got := c.Hooks(t)
		if len(got) != 1 || got[0].URL != hook(secret).URL || len(got[0].Events) < 2 ||
			got[0].Secret != "" && got[0].Secret != "secret-"+secret {
			t.Fatalf("%d: %+v", i, got)
		}
	}
}

func hookAmongMany(t *testing.T, c *Connection) {
	place := c.Place(Right)
	for i := range cmp.Or(c.PerPage, 100) + 1 {
		if _, err := place.PutHook(t.Context(), connect.Hook{URL: "https://other.example.com/" + strconv.Itoa(i), Secret: "other"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []connect.Outcome{connect.Created, connect.Changed} {
		if got, err := place.PutHook(t.Context(), hook("1")); err != nil || got != want {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
}

func hookDeleted(t *testing.T, c *Connection) {
	place := c.Place(Right)
	other := connect.Hook{URL: "https://other.example.com/hook", Secret: "other"}
	for _, h := range []connect.Hook{other, hook("1")} {
		if _, err := place.PutHook(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // deleting a missing webhook is not an error
		if err := place.DeleteHook(t.Context(), hook("").URL); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Hooks(t); len(got) != 1 || got[0].URL != other.URL {
		t.Errorf("left %+v", got)
	}
}

func hookRefused(t *testing.T, c *Connection) {
	c.Demote(t)
	_, err := c.Place(Right).PutHook(t.Context(), hook("1"))
	c.refused(t, err, "webhook_permission_missing")
	c.refused(t, c.Place(Right).DeleteHook(t.Context(), hook("1").URL), "webhook_permission_missing")
	if f, ok := fault.As(err); !ok || f.Kind != fault.Forbidden || f.Hint == "" {
		t.Errorf("got %+v", f)
	}
}

// connection returns a Connection with the fields that all fakes share, and more repositories than fit on a page.
func (w *world) connection(separator string) *Connection {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range 130 {
		name := "site-" + strconv.Itoa(i)
		if i%40 == 7 {
			name = "guide-" + strconv.Itoa(i)
		}
		w.repos = append(w.repos, name)
	}
	c := &Connection{Login: author, Secrets: []string{w.key, "secret-1"},
		Demote: func(testing.TB) { w.mu.Lock(); defer w.mu.Unlock(); w.demoted = true },
		Hooks: func(testing.TB) []InstalledHook {
			w.mu.Lock()
			defer w.mu.Unlock()
			var out []InstalledHook
			for _, h := range w.hooks {
				out = append(out, h.InstalledHook)
			}
			return out
		}}
	for _, name := range w.repos {
		c.Names = append(c.Names, separator+"/"+name)
	}
	return c
}

// storedHook is a webhook of a fake.
type storedHook struct {
	InstalledHook
	id int
}

// named lists the fake's repositories whose names contain the search text.
func (w *world) named(search string) (out []string) {
	for _, name := range w.repos {
		if strings.Contains(name, strings.ToLower(search)) {
			out = append(out, name)
		}
	}
	return out
}

// hookCall responds to a request about a repository's webhooks. It returns false for any other request. read parses a
// webhook from the request body.
func (c *call) hookCall(parts []string, change string, refuse func(), show func(storedHook) object, page func([]object),
	read func() InstalledHook) bool {
	if parts[0] != "hooks" && parts[0] != "webhooks" || len(parts) > 2 {
		return false
	}
	at := -1
	if len(parts) == 2 {
		at = slices.IndexFunc(c.hooks, func(h storedHook) bool { return hookID(h.id) == parts[1] || strconv.Itoa(h.id) == parts[1] })
	}
	switch {
	case c.demoted || len(parts) == 2 && at < 0:
		refuse()
	case len(parts) == 1 && c.Method == http.MethodGet:
		list := []object{}
		for _, h := range c.hooks {
			list = append(list, show(h))
		}
		page(list)
	case len(parts) == 1 && c.Method == http.MethodPost:
		c.lastHook++
		c.hooks = append(c.hooks, storedHook{InstalledHook: read(), id: c.lastHook})
		c.reply(http.StatusCreated, show(c.hooks[len(c.hooks)-1]))
	case len(parts) == 2 && c.Method == change:
		c.hooks[at].InstalledHook = read()
		c.reply(http.StatusOK, show(c.hooks[at]))
	case len(parts) == 2 && c.Method == http.MethodDelete:
		c.hooks = slices.Delete(c.hooks, at, at+1)
		c.answered = true
		c.WriteHeader(http.StatusNoContent)
	default:
		c.wrong("there is no such route")
	}
	return true
}

// hookID returns an id in the format of Bitbucket Cloud.
func hookID(n int) string { return "{" + strconv.Itoa(n) + "}" }

// texts converts a JSON list to strings.
func texts(v any) (out []string) {
	list, _ := v.([]any)
	for _, one := range list {
		out = append(out, fmt.Sprint(one))
	}
	return out
}

// events returns got, and fails the test unless it is exactly the wanted events.
func (c *call) events(got []string, want ...string) []string {
	if !slices.Equal(got, want) {
		c.wrong("events are %v", got)
	}
	return got
}
