package config

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/credential"
)

func appKey(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

func writeCredentials(t *testing.T, files map[string]string) Credentials {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Credentials{env: Env{}, dir: dir}
}

func TestGitHubAppIsACredential(t *testing.T) {
	key := appKey(t)
	quoted, _ := json.Marshal(key)
	c := writeCredentials(t, map[string]string{
		"app.pem": key,
		"by-file": `{"githubApp": 12345, "privateKeyFile": "app.pem", "url": "https://GitHub.com/acme/"}`,
	})
	c.env = Env{"LECTERN_CREDENTIAL_BY_VALUE": ` {"githubApp": "Iv23abc", "privateKey": ` + string(quoted) +
		`, "url": "https://github.com/acme"}`}
	for name, id := range map[string]string{"by-file": "12345", "by-value": "Iv23abc"} {
		found, err := c.Find(name)
		if err != nil || found.App == nil || found.App.ID != id || found.App.PrivateKey != key ||
			found.BaseURL != "https://github.com/acme" || found.Password != "" {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		if !found.Covers("https://github.com/acme/docs.git") || found.Covers("https://github.com/other/docs.git") ||
			found.Covers("git@github.com:acme/docs.git") {
			t.Errorf("%s covers the wrong repositories", name)
		}
		// K9
		if text := fmt.Sprintf("%v %+v %#v %v %#v", found, found, found, found.App, *found.App); strings.Contains(text,
			"PRIVATE") {
			t.Errorf("%s shows its key: %s", name, text)
		}
	}
	if values := c.Values(); !slices.Contains(values, key) {
		t.Error("the key is not among the secrets to redact")
	}
}

func TestBrokenGitHubAppErrorHidesTheKey(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":      `{"githubApp": hunter2`,
		"unknown field": `{"githubApp": "1", "privateKey": "hunter2", "url": "https://github.com/a", "more": 1}`,
		"no key":        `{"githubApp": "1", "url": "https://github.com/a"}`,
		"two keys":      `{"githubApp": "1", "privateKey": "hunter2", "privateKeyFile": "x", "url": "https://github.com/a"}`,
		"no PEM":        `{"githubApp": "1", "privateKey": "hunter2", "url": "https://github.com/a"}`,
		"plain http":    `{"githubApp": "1", "privateKey": "hunter2", "url": "http://github.com/a"}`,
		"no id":         `{"privateKey": "hunter2", "url": "https://github.com/a"}`,
		"odd id":        `{"githubApp": ["hunter2"], "privateKey": "hunter2", "url": "https://github.com/a"}`,
		"two objects":   `{"githubApp": "1", "privateKey": "hunter2", "url": "https://github.com/a"} {}`,
	} {
		_, err := Credentials{env: Env{"LECTERN_CREDENTIAL_X": text}}.Find("x")
		wantFault(t, err, "bad_credential", "credential")
		if strings.Contains(fmt.Sprint(err), "hunter2") {
			t.Errorf("%s: the message shows the value: %v", name, err) // K9
		}
	}
	_, err := writeCredentials(t,
		map[string]string{"x": `{"githubApp": "1", "privateKeyFile": "gone.pem", "url": "https://github.com/a"}`}).
		Find("x")
	wantFault(t, err, "unreadable_credential", "")
}

func TestSSHKeyHasASeparateAPIToken(t *testing.T) {
	c := writeCredentials(t, map[string]string{
		"deploy": "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n", "deploy-api": "https://bot:s3cret@git.example.com/team",
		"alone": "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n",
		"plain": "https://bot:s3cret@git.example.com/team",
	})
	for name, repository := range map[string]string{"deploy": "git@git.example.com:team/docs.git",
		"plain": "https://git.example.com/team/docs.git"} {
		if found, err := credential.ForAPI(c.Find, name, repository); err != nil || found.Password != "s3cret" {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	for code, ask := range map[string][2]string{
		"missing_credential":            {"alone", "git@git.example.com:team/docs.git"},
		"credential_not_for_repository": {"deploy", "git@git.example.com:other/docs.git"},
		"unknown_credential":            {"none", "git@git.example.com:team/docs.git"},
		"forge_unknown_host":            {"plain", "/srv/docs.git"},
	} {
		if _, err := credential.ForAPI(c.Find, ask[0], ask[1]); err == nil ||
			!strings.Contains(fmt.Sprintf("%#v", err), code) {
			t.Errorf("%v: %v", ask, err)
		}
	}
}

// K9: an SSH key is one of the secrets that must be redacted.
func TestSSHKeyIsASecretValue(t *testing.T) {
	const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----\n"
	if values := writeCredentials(t, map[string]string{"deploy": key}).Values(); !slices.Contains(values, key) {
		t.Errorf("%q", values)
	}
}
