package cli

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/serve/passhash"
)

// Settings of readers that cannot be used are refused before anything is served, and never printed.
func TestServeBundleRefusesBadSettingsOfReaders(t *testing.T) {
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
		{[]string{"--password-file", file("hash")}, "not an Argon2id hash"},
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

// The file can have the password, or its hash.
func TestServeBundleAsksForThePasswordOfAFile(t *testing.T) {
	t.Parallel()
	const password = "correct horse battery"
	hash := passhash.Cost{Memory: 64, Passes: 1}.Hash(rand.Reader, password)
	docs := write(t, map[string]string{"docs.json": `{"name":"S","navigation":{"pages":["index"]}}`, "index.mdx": "Secret text.\n"})
	bundle := filepath.Join(t.TempDir(), "site.tar.gz")
	invoke(t, "export", docs, "--out", bundle, "--no-cache", "--scripts", "off").want(t, 0)
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
