package gitea_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/gitea"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
	testgitea "github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// The contract of connections is tested against a real server.
func TestConnection(t *testing.T) {
	user, helper := server.User(t), colleague(t)
	repo := server.Repository(t, user, nil)
	names := []string{user.Name + "/" + repo.Name}
	for _, name := range []string{"guide-a", "guide-b", "other"} {
		server.Call(t, user, http.MethodPost, "/user/repos", map[string]any{"name": name, "private": true}, nil)
		names = append(names, user.Name+"/"+name)
	}
	server.Call(t, user, http.MethodPut, repo.Path()+"/collaborators/"+helper.Name,
		map[string]any{"permission": "write"}, nil)
	forgetest.RunConnect(t, func(t *testing.T) *forgetest.Connection {
		for list := hooks(t, user, repo); len(list) > 0; list = hooks(t, user, repo) {
			for _, h := range list {
				server.Call(t, user, http.MethodDelete, repo.Path()+"/hooks/"+strconv.FormatInt(h.ID, 10), nil, nil)
			}
		}
		token := user.Token
		options := func(a forgetest.Access) gitea.Options {
			o := gitea.Options{API: server.URL + "/api/v1", Owner: repo.Owner, Name: repo.Name, HTTP: forgetest.Client(t),
				Now: time.Now, Key: rest.Key{Password: token}}
			switch a {
			case forgetest.WrongKey:
				o.Key.Password = "wrong-" + token
			case forgetest.NoSuchPlace:
				o.Name = "nothing"
			}
			return o
		}
		return &forgetest.Connection{Login: user.Name, Names: names, Secrets: []string{token}, PerPage: 50,
			Account: func(a forgetest.Access) connect.Account { return gitea.NewAccount(options(a)) },
			Place:   func(a forgetest.Access) connect.Place { return gitea.New(options(a)) },
			Demote:  func(testing.TB) { token = helper.Token },
			Hooks: func(t testing.TB) (out []forgetest.InstalledHook) {
				for _, h := range hooks(t, user, repo) {
					out = append(out, forgetest.InstalledHook{URL: h.Config.URL, Events: h.Events})
				}
				return out
			}}
	})
}

type installed struct {
	ID     int64
	Events []string
	Config struct{ URL string }
}

func hooks(t testing.TB, user testgitea.User, repo testgitea.Repository) (list []installed) {
	t.Helper()
	server.Call(t, user, http.MethodGet, repo.Path()+"/hooks", nil, &list)
	return list
}

// A token that may not identify its user works for everything else.
func TestTokenWithoutUserScopeConnects(t *testing.T) {
	p := newPeople(t)
	var token struct {
		Token string `json:"sha1"`
	}
	narrow := testgitea.User{Name: p.bot.Name, Password: p.bot.Password}
	basic(t, narrow, "/users/"+narrow.Name+"/tokens", map[string]any{"name": "narrow-" + p.repo.Name,
		"scopes": []string{"write:repository"}}, &token)
	account := gitea.NewAccount(gitea.Options{API: server.URL + "/api/v1", HTTP: forgetest.Client(t), Now: time.Now,
		Key: rest.Key{Password: token.Token}})
	if who, err := account.Identify(t.Context()); err != nil || who.Name != "" {
		t.Errorf("got %+v, %v", who, err)
	}
	page, err := account.List(t.Context(), connect.Query{Limit: 5, Search: p.repo.Name})
	if err != nil || len(page.Repositories) != 1 {
		t.Errorf("got %+v, %v", page, err)
	}
}

// basic makes a call with a user's password, which is required to create tokens.
func basic(t *testing.T, u testgitea.User, path string, in, out any) {
	t.Helper()
	api := rest.New(rest.Options{Name: "The code host", Base: server.URL + "/api/v1", HTTP: forgetest.Client(t),
		Now: time.Now, Authorize: rest.Key{User: u.Name, Password: u.Password}.Basic()})
	if _, err := api.Do(t.Context(), rest.Call{Method: http.MethodPost, Path: path, In: in, Out: out}); err != nil {
		t.Fatal(err)
	}
}
