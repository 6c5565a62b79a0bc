package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// K9: the password of a site is read from a file or standard input, and no command shows it.
func TestReadersSetChangesReaderAccess(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.acme.test",
		"--repository", "https://git.example.com/a/b.git").want(t, 0).stdout)
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("seven green bicycles\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	show := func(want string) {
		t.Helper()
		if out := s.call(t, "readers", "show", project).want(t, 0).stdout; !strings.Contains(out, want) ||
			strings.Contains(out, "bicycles") {
			t.Errorf("want %s: %s", want, out)
		}
	}
	show("public")
	s.call(t, "readers", "set", project, "password", "--secret-file", file).want(t, 0)
	show("password")
	s.call(t, "readers", "set", project, "password").want(t, 2, "needs the field password") // standard input is empty
	s.call(t, "readers", "set", project, "everybody").want(t, 2, "Valid modes are public")
	show("password")
	s.call(t, "readers", "sign-out", project).want(t, 0, "signed out")
	s.call(t, "readers", "set", project, "organization").want(t, 0)
	show("organization")
	settings := filepath.Join(t.TempDir(), "provider.json")
	if err := os.WriteFile(settings, []byte(`{"providers":[{"name":"acme","issuer":"https://id.example.com",
		"clientId":"docs","clientSecret":"s3cret-of-the-client"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.call(t, "readers", "set", project, "oidc").want(t, 2, "needs the field providers")
	s.call(t, "readers", "set", project, "oidc", "--settings", file).want(t, 2, "cannot be read")
	s.call(t, "readers", "set", project, "oidc", "--settings", settings).want(t, 0)
	shown := s.call(t, "readers", "show", project, "--json").want(t, 0).stdout
	if !strings.Contains(shown, "https://id.example.com") || strings.Contains(shown, "s3cret") {
		t.Errorf("%s", shown)
	}
	if err := os.WriteFile(settings, []byte(`{"providers":[{"name":"acme","saml":{"metadataUrl":
		"https://id.example.com/saml"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.call(t, "readers", "set", project, "saml", "--settings", settings).want(t, 0)
	show("saml")
	s.call(t, "readers", "set", project, "public").want(t, 0)
	show("public")
}
