package forgetest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// AppHost is a fake of GitHub Enterprise Server's API for Apps, below /api/v3. Its App has the id 12345. It does not
// check the signatures of Apps.
type AppHost struct {
	URL string
	Web string // the address that it returns as its own; may be set before the first request
	Key string // private key of its App, in PEM

	mu          sync.Mutex
	code        string            // of an App that was created but not yet fetched; "" = none
	down        bool              // whether it responds that it is busy
	permissions map[string]string // of the App
	installed   []string          // accounts
}

// NewAppHost starts the fake. Its App is installed for the account acme, which has 130 repositories, and for the
// account other.
func NewAppHost(t testing.TB) *AppHost {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	a := &AppHost{Key: string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
		Bytes: x509.MarshalPKCS1PrivateKey(key)})), installed: []string{"acme", "other"},
		permissions: map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write",
			"statuses": "write", "checks": "write", "repository_hooks": "write"}}
	w := newWorld(t, "github")
	for i := range 130 {
		w.repos = append(w.repos, "site-"+strconv.Itoa(i))
	}
	w.serve(func(c *call) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.serve(c)
	})
	a.URL, a.Web = w.url, w.url
	return a
}

// Create creates an App and returns a code with which it can be fetched once.
func (a *AppHost) Create() (code string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.code = rand.Text()
	return a.code
}

// Down makes the host respond that it is busy, or work again.
func (a *AppHost) Down(down bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.down = down
}

// Take removes a permission from the App.
func (a *AppHost) Take(permission string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.permissions, permission)
}

// Install sets the accounts that have installed the App.
func (a *AppHost) Install(accounts ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.installed = accounts
}

func (a *AppHost) serve(c *call) {
	if a.down {
		c.reply(http.StatusServiceUnavailable, object{"message": "No server is currently available."})
		return
	}
	path, proof := strings.TrimPrefix(c.URL.Path, "/api/v3"), c.Request.Header.Get("Authorization")
	if code, ok := strings.CutPrefix(path, "/app-manifests/"); ok {
		a.convert(c, strings.TrimSuffix(code, "/conversions"))
		return
	}
	if account, ok := strings.CutPrefix(proof, "Bearer ghs_"); ok {
		a.serveToken(c, path, account)
		return
	}
	if strings.Count(proof, ".") != 2 {
		c.reply(http.StatusUnauthorized, object{"message": "A JSON web token could not be decoded"})
		return
	}
	switch route := c.Method + " " + strings.Join(numberless(strings.Split(path, "/")), "/"); route {
	case "GET /app":
		c.reply(http.StatusOK, object{"id": 12345, "slug": "lectern-docs", "permissions": a.permissions})
	case "GET /app/installations":
		list := []object{}
		for i, account := range a.installed {
			list = append(list, object{"id": 100 + i, "account": object{"login": account}, "suspended_at": nil})
		}
		c.reply(http.StatusOK, list)
	case "GET /repos/acme/docs/installation":
		c.reply(http.StatusOK, object{"id": 100, "account": object{"login": "acme"}, "permissions": a.permissions})
	case "POST /app/installations/N/access_tokens":
		a.issue(c, strings.Split(path, "/")[3])
	default:
		gitHubMissing(c)
	}
}

// issue issues a token. It refuses permissions that the App lacks.
func (a *AppHost) issue(c *call, installation string) {
	in := c.fields("repositories", "permissions!")
	for name := range in["permissions"].(object) {
		if a.permissions[name] == "" {
			c.reply(http.StatusUnprocessableEntity,
				object{"message": "The permissions requested are not granted to this installation."})
			return
		}
	}
	number, _ := strconv.Atoi(installation)
	c.reply(http.StatusCreated, object{"token": "ghs_" + a.installed[number-100],
		"expires_at": time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)})
}

func (a *AppHost) serveToken(c *call, path, account string) {
	if path == "/installation/repositories" {
		list := []object{}
		for _, name := range c.repos {
			one := gitHubRepository(c, name)
			one["full_name"], one["clone_url"] = account+"/"+name, a.Web+"/"+account+"/"+name+".git"
			list = append(list, one)
		}
		if account != owner {
			list = list[:1]
		}
		cut := page(c, list, "per_page", 100)
		c.reply(http.StatusOK, object{"total_count": len(list), "repositories": cut})
		return
	}
	rest, ok := strings.CutPrefix(path, "/repos/"+owner+"/"+project)
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch {
	case !ok:
		gitHubMissing(c)
	case rest == "":
		c.reply(http.StatusOK, gitHubRepository(c, project))
	case !gitHubHook(c, parts):
		gitHubMissing(c)
	}
}

// convert responds to a request for a new App. Its code works once.
func (a *AppHost) convert(c *call, code string) {
	if c.Method != http.MethodPost || code == "" || code != a.code {
		gitHubMissing(c)
		return
	}
	a.code = ""
	c.reply(http.StatusCreated, object{"id": 12345, "slug": "lectern-docs", "client_id": "Iv1.0123456789abcdef",
		"client_secret": "s", "webhook_secret": nil, "pem": a.Key, "owner": object{"login": owner},
		"html_url": a.Web + "/github-apps/lectern-docs"})
}
