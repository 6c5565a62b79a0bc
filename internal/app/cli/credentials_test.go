package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// K9: secrets of credentials are read from a file or standard input, and no command shows one.
func TestCredentialsAreStoredReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--data", s.data, "--scope", "admin").want(t, 0).stdout)
	const secret = "t0ken-from-a-file"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := s.call(t, "credentials", "create", "docs-bot", "--for", "https://git.example.com/team", "--user", "bot",
		"--secret-file", file).want(t, 0)
	if !strings.HasPrefix(made.stdout, "crd_") || strings.Count(made.stdout, "\n") != 1 {
		t.Errorf("printed %q", made.stdout)
	}
	s.call(t, "credentials", "create", "docs-bot", "--for", "https://git.example.com", "--secret-file", file).
		want(t, 5, "A credential named")
	// standard input is empty
	s.call(t, "credentials", "create", "empty", "--for", "https://git.example.com").want(t, 2, "secret")
	s.call(t, "credentials", "replace", "docs-bot", "--for", "https://git.example.com/other", "--secret-file", file).
		want(t, 0)
	s.call(t, "credentials", "replace", "none", "--for", "https://git.example.com", "--secret-file", file).
		want(t, 4, `no credential "none"`)
	list := s.call(t, "credentials", "list").want(t, 0)
	if !strings.Contains(list.stdout, "docs-bot") || !strings.Contains(list.stdout, "https://git.example.com/other") ||
		strings.Contains(list.stdout, secret) {
		t.Errorf("listed %s", list.stdout)
	}
	if shown := s.call(t, "credentials", "list", "--json").want(t, 0).stdout; strings.Contains(shown, secret) ||
		!strings.Contains(shown, `"lastUsedAt"`) {
		t.Errorf("listed %s", shown)
	}
	s.call(t, "credentials", "delete", "docs-bot").want(t, 0, "was deleted")
	if list := s.call(t, "credentials", "list").want(t, 0); strings.Contains(list.stdout, "docs-bot") {
		t.Errorf("after it was deleted: %s", list.stdout)
	}
}

// The server does not recognize the code host of the tests, so commands that request data from it report that.
func TestCredentialIsTestedAtItsCodeHost(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--data", s.data, "--scope", "admin", "--scope", "write").want(t, 0).stdout)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("t0ken"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.call(t, "credentials", "create", "docs-bot", "--for", "https://git.example.com/team", "--secret-file", file).want(t, 0)
	if got := s.call(t, "credentials", "test", "docs-bot").want(t, 1); !strings.Contains(got.stdout, "failed") ||
		!strings.Contains(got.stdout, "git.example.com") {
		t.Errorf("printed %q", got.stdout)
	}
	if got := s.call(t, "credentials", "test", "docs-bot", "--json").want(t, 1); !strings.Contains(got.stdout,
		`"forge_unknown_host"`) {
		t.Errorf("printed %q", got.stdout)
	}
	s.call(t, "credentials", "repositories", "docs-bot").want(t, 2, "kind of the code host")
	s.call(t, "credentials", "repositories", "none").want(t, 4, `no credential "none"`)
	s.call(t, "projects", "webhook", "prj_aaaaaaaaaaaaaaaaaaaaaaaaaa").want(t, 4)
}
