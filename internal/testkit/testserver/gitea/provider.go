package gitea

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// OIDCClient registers an OpenID Connect client. The server is the provider, and its issuer is s.URL. A user's groups
// have the form "organization" or "organization:team".
func (s *Server) OIDCClient(t testing.TB, name, redirectURI string) (clientID, secret string) {
	t.Helper()
	var made struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	s.call(t, s.asAdmin, http.MethodPost, "/user/applications/oauth2",
		map[string]any{"name": name, "redirect_uris": []string{redirectURI}, "confidential_client": true}, &made)
	return made.ID, made.Secret
}

// Organization creates an organization owned by the user, and returns its name.
func (s *Server) Organization(t testing.TB, owner User) string {
	t.Helper()
	name := "o" + strings.ToLower(rand.Text()[:12])
	s.Call(t, owner, http.MethodPost, "/orgs", map[string]any{"username": name, "visibility": "private"}, nil)
	return name
}

// Team creates a team with the members in the owner's organization.
func (s *Server) Team(t testing.TB, owner User, organization, team string, members ...User) {
	t.Helper()
	var made struct{ ID int64 }
	s.Call(t, owner, http.MethodPost, "/orgs/"+organization+"/teams",
		map[string]any{"name": team, "permission": "read", "units": []string{"repo.code"}}, &made)
	for _, m := range members {
		s.Call(t, owner, http.MethodPut, "/teams/"+strconv.FormatInt(made.ID, 10)+"/members/"+m.Name, nil, nil)
	}
}

// SignIn acts as the user's browser for an authorization request: it follows address, signs in, and agrees or refuses.
// It returns the address of the redirect to the client without requesting it.
func (s *Server) SignIn(t testing.TB, u User, address string, agree bool) *url.URL {
	t.Helper()
	back, err := s.signIn(t, u, address, agree)
	if err != nil {
		t.Fatalf("sign in as %s: %v", u.Name, err)
	}
	return back
}

func (s *Server) signIn(t testing.TB, u User, address string, agree bool) (*url.URL, error) {
	b, err := s.browser()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for range 5 { // the sign-in form, the consent form, and one more of each
		at, form, err := b.open(request)
		if err != nil || form == nil {
			return at, err
		}
		if form.fields.Has("user_name") {
			form.fields.Set("user_name", u.Name)
			form.fields.Set("password", u.Password)
		} else {
			form.fields.Set("granted", strconv.FormatBool(agree))
		}
		request, err = http.NewRequestWithContext(t.Context(), http.MethodPost, form.action,
			strings.NewReader(form.fields.Encode()))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return nil, fmt.Errorf("the server keeps returning forms")
}

// browser follows redirects within the server and stores cookies.
type browser struct {
	client http.Client
	host   string
}

func (s *Server) browser() (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	b := &browser{host: strings.TrimPrefix(s.URL, "http://")}
	b.client = http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host != b.host {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return b, nil
}

// form is an HTML form with the method POST.
type form struct {
	action string
	fields url.Values
}

// open sends a request and follows redirects. It returns the form on the page that it reaches, or a nil form and the
// address if that is outside the server.
func (b *browser) open(request *http.Request) (*url.URL, *form, error) {
	response, err := b.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close() // read to its end
	page, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode/100 == 3 {
		at, err := response.Location()
		return at, nil, err
	}
	doc, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		return nil, nil, err
	}
	found := findForm(doc, response.Request.URL)
	if response.StatusCode != http.StatusOK || found == nil {
		return nil, nil, fmt.Errorf("%s %s: %s, no form in: %.2000s", request.Method, response.Request.URL,
			response.Status, page)
	}
	return response.Request.URL, found, nil
}

// findForm finds the sign-in or consent form, by its action.
func findForm(doc *html.Node, base *url.URL) *form {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" || attribute(n, "method") != "post" {
			continue
		}
		action, err := base.Parse(attribute(n, "action"))
		if err != nil || !strings.HasSuffix(action.Path, "/user/login") &&
			!strings.HasSuffix(action.Path, "/login/oauth/grant") {
			continue
		}
		f := &form{action: action.String(), fields: url.Values{}}
		for input := range n.Descendants() {
			if name := attribute(input, "name"); input.Data == "input" && name != "" &&
				attribute(input, "type") != "checkbox" {
				f.fields.Set(name, attribute(input, "value"))
			}
		}
		return f
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
