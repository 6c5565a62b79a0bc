package credential

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const sshKey = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----"

func appKey(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

// K9: a credential of any kind is bound to its address, can be decrypted again, and never shows its secret in text
// form.
func TestEveryKindOfCredentialIsBoundAndEncrypted(t *testing.T) {
	app := appKey(t)
	for _, c := range []struct {
		request Request
		base    string
		covers  []string
		others  []string
	}{
		{Request{Name: "t", Kind: account.CredentialToken, URL: "https://Git.Example.com/team/", User: "bot",
			Secret: "s3cret-t0ken"}, "https://git.example.com/team",
			[]string{"https://git.example.com/team/docs.git", "https://git.example.com/team"},
			[]string{"https://git.example.com/team2/x", "https://evil.example.com/team/docs.git",
				"http://git.example.com/team/docs.git", "git@git.example.com:team/docs.git",
				"https://git.example.com/team/../x", "/srv/team"}},
		{Request{Name: "s", Kind: account.CredentialSSHKey, URL: "git@git.example.com:team", Secret: sshKey},
			"ssh://git.example.com/team",
			[]string{"git@git.example.com:team/docs.git", "ssh://git@git.example.com/team/docs.git",
				"other@git.example.com:team/docs.git"},
			[]string{"git@evil.example.com:team/docs.git", "git@git.example.com:teams/docs.git",
				"ssh://git@git.example.com:2222/team/docs.git", "https://git.example.com/team/docs.git",
				"git@git.example.com:team/../x"}},
		{Request{Name: "h", Kind: account.CredentialSSHKey, URL: "ssh://git.example.com:2222", Secret: sshKey + "\r\n"},
			"ssh://git.example.com:2222",
			[]string{"ssh://git@git.example.com:2222/any/docs.git"}, []string{"git@git.example.com:any/docs.git"}},
		{Request{Name: "a", Kind: account.CredentialGitHubApp, URL: "https://github.com/acme", AppID: "12",
			Secret: app}, "https://github.com/acme",
			[]string{"https://github.com/acme/docs.git"}, []string{"https://github.com/other/docs.git"}},
	} {
		made, err := Parse(c.request)
		if err != nil || made.BaseURL != c.base {
			t.Fatalf("%s: %v, %v", c.request.Name, made.BaseURL, err)
		}
		row := account.Credential{ID: "crd_a", OrganizationID: "org_a", Name: made.Name, Kind: c.request.Kind,
			BaseURL: made.BaseURL}
		row.Sealed = Seal([]byte("before"), rand.Reader, row, made)
		opened, stale, err := Open([][]byte{[]byte("now"), []byte("before")}, row)
		if err != nil || !stale || !slices.Equal(opened.Values(), made.Values()) || opened.User != made.User {
			t.Errorf("%s: %v %v", c.request.Name, stale, err)
		}
		if _, _, err := Open([][]byte{[]byte("now")}, row); !fault.HasCode(err, "unreadable_credential") {
			t.Errorf("%s with another master key: %v", c.request.Name, err)
		}
		for _, repository := range c.covers {
			if !opened.Covers(repository) {
				t.Errorf("%s does not cover %s", c.base, repository)
			}
		}
		for _, repository := range c.others {
			if opened.Covers(repository) {
				t.Errorf("%s covers %s", c.base, repository)
			}
		}
		text := fmt.Sprintf("%v %+v %#v %s %v", opened, opened, opened, row.Sealed, err)
		for _, value := range opened.Values() {
			if strings.Contains(text, strings.TrimSpace(value)) || strings.Contains(text, "PRIVATE KEY") {
				t.Errorf("%s shows its secret: %s", c.request.Name, text)
			}
		}
	}
}

func TestUnusableCredentialsAreRefused(t *testing.T) {
	good := Request{Name: "t", Kind: account.CredentialToken, URL: "https://git.example.com", Secret: "s3cret-t0ken"}
	for field, change := range map[string][]func(*Request){
		"name": {func(r *Request) { r.Name = "" }, func(r *Request) { r.Name = "A" },
			func(r *Request) { r.Name = "../x" }},
		"kind": {func(r *Request) { r.Kind = "" }},
		"user": {func(r *Request) { r.User = "a b" },
			func(r *Request) { r.Kind, r.User, r.Secret = account.CredentialSSHKey, "git", sshKey }},
		"appId": {func(r *Request) { r.AppID = "1" }, func(r *Request) { r.Kind = account.CredentialGitHubApp }},
		"secret": {func(r *Request) { r.Secret = "" }, func(r *Request) { r.Secret = "a\nb" },
			func(r *Request) { r.Secret = strings.Repeat("x", 5000) }},
		"url": {
			func(r *Request) { r.URL = "" }, func(r *Request) { r.URL = "https://" }, func(r *Request) {
				r.URL = "https://u:p@git.example.com"
			}, func(r *Request) { r.URL = "https://git.example.com/?q" },
			func(r *Request) { r.URL = "https://git.example.com/a/../b" }, func(r *Request) {
				r.URL = "ssh://git.example.com"
			}, func(r *Request) { r.URL = "file:///srv" }, func(r *Request) { r.URL = "/srv" },
		},
	} {
		for i, f := range change {
			r := good
			f(&r)
			_, err := Parse(r)
			if found, ok := fault.As(err); !ok || found.Kind != fault.Invalid || found.Field != field ||
				strings.Contains(found.Public+found.Hint, "s3cret") {
				t.Errorf("%s %d: %v", field, i, err)
			}
		}
	}
}
