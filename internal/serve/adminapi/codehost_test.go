package adminapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/credential"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// codeHost is a GitLab server at git.example.com. Each tenant has a token for the repositories of its own group.
// Drivers have their own conformance tests.
type codeHost struct {
	mu     sync.Mutex
	refuse int                      // status of every response; 0 = normal responses
	member bool                     // tokens may not manage webhooks
	hooks  map[string][]*hookAtHost // by project
	last   int                      // id of the newest hook
	seen   []string                 // method and path of requests
}

type hookAtHost struct {
	ID    int    `json:"id"`
	URL   string `json:"url"`
	Token string `json:"-"`
}

func (w *world) startCodeHost(t testing.TB) forge.Hosts {
	t.Helper()
	w.code = &codeHost{hooks: map[string][]*hookAtHost{}}
	server := httptest.NewServer(w.code)
	t.Cleanup(server.Close)
	servers, err := forge.ParseServers([]string{"git.example.com=gitlab@" + server.URL})
	must(t, err)
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	must(t, err)
	client := guard.Client(outbound.Limits{})
	t.Cleanup(client.CloseIdleConnections)
	w.hosts = forge.Hosts{Servers: servers, HTTP: client, Trusts: func(string) bool { return true },
		Tokens: forge.NewTokens(client, w.clock.Now), Now: w.clock.Now}
	return w.hosts
}

// codePlace opens a project's repository as the server does.
func (w *world) codePlace(ctx context.Context, p project.Project) (connect.Place, error) {
	if p.Source.Embedded() {
		return nil, forge.NoCodeHost()
	}
	found, err := credential.ForAPI(func(name string) (credential.Credential, error) {
		row, err := w.store.FindCredentialByName(ctx, p.OrganizationID, name)
		if err != nil {
			return credential.Credential{}, credential.Unknown(name)
		}
		value, _, err := credential.Open([][]byte{master}, row)
		return value, err
	}, p.Source.Credential, p.Source.Repository)
	if err != nil {
		return nil, err
	}
	return w.hosts.Place(p.Source.Repository, forge.Credential{User: found.User, Password: found.Password, App: found.App})
}

func (h *codeHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = append(h.seen, r.Method+" "+r.URL.Path)
	group, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer stored-secret-of-")
	reply := func(status int, body any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/api/v4")
	own, below := strings.CutPrefix(path, "/projects/"+group+"%2Fdocs")
	switch {
	case h.refuse != 0:
		reply(h.refuse, map[string]string{"message": "no " + r.Header.Get("Authorization")})
	case !ok:
		reply(http.StatusUnauthorized, map[string]string{"message": "401 Unauthorized"})
	case path == "/user":
		reply(http.StatusOK, map[string]string{"username": "bot-of-" + group})
	case path == "/personal_access_tokens/self":
		reply(http.StatusOK, map[string]any{"scopes": []string{"api"}, "expires_at": "2027-01-31"})
	case path == "/projects":
		var list []map[string]any
		for _, name := range []string{group + "/docs", group + "/guide", "elsewhere/docs"} {
			list = append(list, map[string]any{"path_with_namespace": name, "default_branch": "main",
				"http_url_to_repo": "https://git.example.com/" + name + ".git", "visibility": "private"})
		}
		reply(http.StatusOK, list)
	case below && own == "":
		reply(http.StatusOK, map[string]any{"permissions": map[string]any{"project_access": map[string]int{"access_level": 40}}})
	case below && strings.HasPrefix(own, "/hooks"):
		h.serveHooks(reply, r, group, strings.TrimPrefix(own, "/hooks"))
	default:
		reply(http.StatusNotFound, map[string]string{"message": "404 Not Found"})
	}
}

func (h *codeHost) serveHooks(reply func(int, any), r *http.Request, group, id string) {
	number, _ := strconv.Atoi(strings.Trim(id, "/"))
	at := slices.IndexFunc(h.hooks[group], func(one *hookAtHost) bool { return one.ID == number })
	var in struct{ URL, Token string }
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		_ = json.NewDecoder(r.Body).Decode(&in)
	}
	switch {
	case h.member:
		reply(http.StatusForbidden, map[string]string{"message": "403 Forbidden"})
	case r.Method == http.MethodGet:
		reply(http.StatusOK, h.hooks[group])
	case r.Method == http.MethodPost:
		h.last++
		h.hooks[group] = append(h.hooks[group], &hookAtHost{h.last, in.URL, in.Token})
		reply(http.StatusCreated, h.hooks[group][len(h.hooks[group])-1])
	case at < 0:
		reply(http.StatusNotFound, map[string]string{"message": "404 Not found"})
	case r.Method == http.MethodPut:
		h.hooks[group][at].URL, h.hooks[group][at].Token = in.URL, in.Token
		reply(http.StatusOK, h.hooks[group][at])
	case r.Method == http.MethodDelete:
		h.hooks[group] = slices.Delete(h.hooks[group], at, at+1)
		reply(http.StatusNoContent, nil)
	}
}

// set changes how the host responds.
func (h *codeHost) set(change func(*codeHost)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(h)
}

// installed lists the webhooks of a group's repository as "URL TOKEN".
func (h *codeHost) installed(group string) (out []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.hooks[group] {
		out = append(out, fmt.Sprint(one.URL, " ", one.Token))
	}
	return out
}
