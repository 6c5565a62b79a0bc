package gitea

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// User is a user of the server.
type User struct {
	Name     string
	Email    string
	Password string
	Token    string // has all of the user's permissions
}

// Repository is a repository on the server, with a branch main.
type Repository struct {
	Owner, Name string
	Clone       string // clone URL
}

// Path returns the repository's path in the API.
func (r Repository) Path() string { return "/repos/" + r.Owner + "/" + r.Name }

// User creates a user with a unique name.
func (s *Server) User(t testing.TB) User {
	t.Helper()
	u := User{Name: "u" + strings.ToLower(rand.Text()[:12]), Password: rand.Text()}
	u.Email = u.Name + "@example.com"
	s.call(t, s.asAdmin, http.MethodPost, "/admin/users",
		map[string]any{"username": u.Name, "email": u.Email, "password": u.Password, "must_change_password": false},
		nil)
	var token struct {
		Token string `json:"sha1"`
	}
	as := func(r *http.Request) { r.SetBasicAuth(u.Name, u.Password) }
	s.call(t, as, http.MethodPost, "/users/"+u.Name+"/tokens",
		map[string]any{"name": "tests", "scopes": []string{"all"}}, &token)
	u.Token = token.Token
	return u
}

// Repository creates a repository of the user with the given files, by path, in one commit on main.
func (s *Server) Repository(t testing.TB, u User, files map[string]string) Repository {
	t.Helper()
	r := Repository{Owner: u.Name, Name: "r" + strings.ToLower(rand.Text()[:12])}
	s.Call(t, u, http.MethodPost, "/user/repos",
		map[string]any{"name": r.Name, "auto_init": true, "default_branch": "main", "readme": "Default"}, nil)
	r.Clone = s.URL + "/" + r.Owner + "/" + r.Name + ".git"
	if len(files) > 0 {
		s.Commit(t, u, r, "main", files)
	}
	return r
}

// Commit adds files to a branch. It creates the branch from main if it does not exist.
func (s *Server) Commit(t testing.TB, u User, r Repository, branch string, files map[string]string) {
	t.Helper()
	var list []map[string]string
	for path, text := range files {
		list = append(list, map[string]string{"operation": "create", "path": path,
			"content": base64.StdEncoding.EncodeToString([]byte(text))})
	}
	in := map[string]any{"files": list, "message": "Add files", "branch": branch}
	as := func(r *http.Request) { r.Header.Set("Authorization", "token "+u.Token) }
	if s.try(t.Context(), as, http.MethodGet, r.Path()+"/branches/"+url.PathEscape(branch), nil, nil) != nil {
		in["branch"], in["new_branch"] = "main", branch
	}
	s.Call(t, u, http.MethodPost, r.Path()+"/contents", in, nil)
}

// Call calls the API as the user and fails the test if the call fails. in and out may be nil.
func (s *Server) Call(t testing.TB, u User, method, path string, in, out any) {
	t.Helper()
	s.call(t, asUser(u), method, path, in, out)
}

// Try calls the API as the user and returns the error, for requests that the server may refuse.
func (s *Server) Try(ctx context.Context, u User, method, path string, in, out any) error {
	return s.try(ctx, asUser(u), method, path, in, out)
}

func asUser(u User) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "token "+u.Token) }
}

func (s *Server) asAdmin(r *http.Request) { r.SetBasicAuth(s.admin.name, s.admin.password) }

func (s *Server) call(t testing.TB, as func(*http.Request), method, path string, in, out any) {
	t.Helper()
	if err := s.try(t.Context(), as, method, path, in, out); err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (s *Server) try(ctx context.Context, as func(*http.Request), method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.URL+"/api/v1"+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	as(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() // read to its end
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", response.Status, data)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(data, out)
}
