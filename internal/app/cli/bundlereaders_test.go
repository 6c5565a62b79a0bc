package cli

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
)

// Invalid reader settings are refused before anything is served, and are never printed.
func TestServeBundleRefusesInvalidReaderSettings(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"short":     "hunter2\n",
		"hash":      "$argon2id$v=19$m=1,t=1,p=1$hunter2\n",
		"long":      "a password that is long enough\n",
		"json":      `{"mode": "password", "password": "hunter2-but-longer"`,
		"members":   `{"mode": "organization"}`,
		"public":    `{"mode": "public"}`,
		"provider":  `{"mode": "oidc", "providers": [{"name": "a", "issuer": "http://id.example.com", "clientId": "x"}]}`,
		"providers": `{"mode": "oidc"}`,
	})
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		flags []string
		text  string
	}{
		{[]string{"--password-file", file("missing")}, "cannot be read"},
		{[]string{"--password-file", file("short")}, "at least 12 characters"},
		{[]string{"--password-file", file("hash")}, "not contain a valid Argon2id hash"},
		{[]string{"--password-file", file("long"), "--readers-file", file("members")}, "either --password-file or --readers-file"},
		{[]string{"--readers-file", file("missing")}, "cannot be read"},
		{[]string{"--readers-file", file("json")}, "--readers-file"},
		{[]string{"--readers-file", file("members")}, "does not support the mode organization"},
		{[]string{"--readers-file", file("public")}, "does not support the mode public"},
		{[]string{"--readers-file", file("provider")}, "https"},
		{[]string{"--readers-file", file("providers")}, "providers"},
	} {
		a := invoke(t, append([]string{"serve-bundle", "--source", "x", "--data", t.TempDir()}, c.flags...)...).want(t, 2, c.text)
		if strings.Contains(a.stderr+a.stdout, "hunter2") {
			t.Errorf("%v: the secret is printed: %s", c.flags, a.stderr)
		}
	}
}

// The file may contain the password or its hash.
func TestServeBundleUsesPasswordFromAFile(t *testing.T) {
	t.Parallel()
	const password = "correct horse battery"
	hash := passhash.Cost{Memory: 64, Passes: 1}.Hash(rand.Reader, password)
	bundle := secretBundle(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for name, text := range map[string]string{"a password": password + "\n", "a hash": hash + "\r\n"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(write(t, map[string]string{"password": text}), "password")
			address, end := bundleServer(t, "serve-bundle", "--source", bundle, "--data", t.TempDir(), "--password-file", file)
			defer end()
			for try, want := range map[string]int{password: http.StatusSeeOther, "wrong horse battery": http.StatusUnauthorized} {
				sent, err := client.PostForm(address+"/login", url.Values{"password": {try}})
				if err != nil {
					t.Fatal(err)
				}
				_ = sent.Body.Close()
				if sent.StatusCode != want {
					t.Errorf("%s: %d, want %d", try, sent.StatusCode, want)
				}
			}
		})
	}
}

// secretBundle returns a bundle with one page.
func secretBundle(t *testing.T) string {
	t.Helper()
	docs := write(t, map[string]string{"docs.json": `{"name":"S","navigation":{"pages":["index"]}}`, "index.mdx": "Secret text.\n"})
	bundle := filepath.Join(t.TempDir(), "site.tar.gz")
	invoke(t, "export", docs, "--out", bundle, "--no-cache", "--scripts", "off").want(t, 0)
	return bundle
}

// A SAML provider identifies the readers of a bundle, also below a base path; each of its responses is accepted only
// once.
func TestBundleReadersSignInWithSAML(t *testing.T) {
	t.Parallel()
	idp := samltest.New(t, time.Now)
	settings, err := json.Marshal(map[string]any{"mode": "saml", "providers": []map[string]any{{"name": "acme",
		"label": "Acme", "groups": []string{"staff"}, "saml": map[string]string{"metadata": idp.Metadata()}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(write(t, map[string]string{"readers.json": string(settings)}), "readers.json")
	address, end := bundleServer(t, "serve-bundle", "--source", secretBundle(t), "--data", t.TempDir(), "--base-path", "/docs",
		"--readers-file", file)
	defer end()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	read := func(answer *http.Response, err error) (status int, location, text string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header.Get("Location"), string(body)
	}
	if status, _, text := read(client.Get(address + "/docs/")); status != http.StatusUnauthorized || strings.Contains(text, "Secret") {
		t.Fatalf("without a session: %d %s", status, text)
	}
	status, to, text := read(client.Get(address + "/docs/login/saml/acme"))
	if status != http.StatusSeeOther || !strings.HasPrefix(to, samltest.SignIn) {
		t.Fatalf("%d %s %s", status, to, text)
	}
	form := idp.Answer(to, samltest.Lie{})
	if form.ACS != address+"/docs/login/saml/acme/acs" {
		t.Errorf("the provider answers to %s", form.ACS)
	}
	if status, _, text := read(http.PostForm(form.ACS, form.Values())); status != http.StatusOK ||
		!strings.Contains(text, `action="/docs/login/saml/acme/acs"`) {
		t.Errorf("the page that sends the form again: %d %s", status, text)
	}
	again := form.Values()
	again.Set("again", "1")
	if status, to, text := read(client.PostForm(form.ACS, again)); status != http.StatusSeeOther || to != "/docs/" {
		t.Fatalf("%d %s %s", status, to, text)
	}
	if status, _, text := read(client.Get(address + "/docs/")); status != http.StatusOK || !strings.Contains(text, "Secret text.") {
		t.Errorf("with a session: %d %s", status, text)
	}
	if status, _, _ := read(client.PostForm(form.ACS, again)); status == http.StatusSeeOther {
		t.Error("the response worked twice")
	}
}
