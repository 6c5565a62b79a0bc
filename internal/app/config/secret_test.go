package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/credential"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSecretsComeFromVariablesOrFiles(t *testing.T) {
	one, two, three := strings.Repeat("1", 32), strings.Repeat("2", 32), strings.Repeat("3", 32)
	s := Defaults()
	s.S3SecretKeyFile = write(t, "s3", "from-file\n")
	s.SecretKeyPreviousFile = write(t, "previous", two+"\n"+three+",\n")
	if err := s.Complete(NewEnv([]string{"LECTERN_SECRET_KEY=" + one, "LECTERN_S3_ACCESS_KEY=id"})); err != nil {
		t.Fatal(err)
	}
	if s.SecretKey != one || s.S3AccessKey != "id" || s.S3SecretKey != "from-file" ||
		!slices.Equal(s.SecretKeyPrevious, []string{two, three}) {
		t.Errorf("secrets were not read: %q %q %q %q", s.SecretKey, s.S3AccessKey, s.S3SecretKey, s.SecretKeyPrevious)
	}
}

func TestDuplicateMissingOrEmptySecretIsRefused(t *testing.T) {
	s := Defaults()
	s.SecretKeyFile = write(t, "key", strings.Repeat("k", 32))
	wantFault(t, s.Complete(Env{"LECTERN_SECRET_KEY": strings.Repeat("x", 32)}), "bad_setting", "secret-key", "twice")
	s.SecretKeyFile = filepath.Join(t.TempDir(), "none")
	wantFault(t, s.Complete(nil), "bad_setting", "secret-key-file", "none")
	s.SecretKeyFile = write(t, "empty", "\n")
	wantFault(t, s.Complete(nil), "bad_setting", "secret-key-file", "empty")
	s.SecretKeyFile = ""
	wantFault(t, s.Complete(Env{"LECTERN_SECRET_KEY": "short"}), "bad_setting", "secret-key", "32")
}

func TestCredentialsAreFoundByName(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"file-cred": "https://bot:s3cret@git.example.com/team/\n", "ssh": "-----BEGIN OPENSSH PRIVATE KEY-----\nx\n",
		"broken": "just-a-token\n", "both": "https://file@h/x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := Server{CredentialsDir: dir}
	creds := s.Credentials(NewEnv([]string{"LECTERN_CREDENTIAL_DOCS_BOT=https://token@Git.example.com",
		"LECTERN_CREDENTIAL_BOTH=https://env@h/x", "LECTERN_CREDENTIAL_BAD=ftp://u:s3cret@h"}))

	for name, want := range map[string]credential.Credential{
		"docs-bot":  {Name: "docs-bot", BaseURL: "https://git.example.com", User: "token"},
		"file-cred": {Name: "file-cred", BaseURL: "https://git.example.com/team", User: "bot", Password: "s3cret"},
		"ssh":       {Name: "ssh", SSHKeyFile: filepath.Join(dir, "ssh")},
		"both":      {Name: "both", BaseURL: "https://h/x", User: "env"},
	} {
		if have, err := creds.Find(name); err != nil || have != want {
			t.Errorf("Find(%q) = %+v, %v", name, have, err)
		}
	}
	for name, code := range map[string]string{
		"none": "unknown_credential", "broken": "bad_credential", "bad": "bad_credential",
		"../broken": "invalid_credential", "": "invalid_credential", "Upper": "invalid_credential",
		"a/b": "invalid_credential", ".": "invalid_credential",
	} {
		_, err := creds.Find(name)
		wantFault(t, err, code, map[bool]string{true: "source.credential",
			false: "credential"}[code == "unknown_credential"])
		if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "just-a-token")) {
			t.Errorf("the message shows the value: %v", err) // K9
		}
	}
	if _, err := (Credentials{}).Find("none"); err == nil {
		t.Error("without a folder there should be no credential")
	}
	c, err := creds.Find("file-cred")
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", c, c, c, &c); strings.Contains(text, "s3cret") {
		t.Errorf("printing a credential shows its secret: %s", text)
	}
}

func TestPasswordIsSentOnlyBelowItsBaseURL(t *testing.T) {
	password := credential.Credential{BaseURL: "https://git.example.com/team", User: "u", Password: "p"}
	key := credential.Credential{SSHKeyFile: "key"}
	for repository, want := range map[string][2]bool{
		"https://git.example.com/team/docs.git":          {true, false},
		"https://GIT.example.com/team":                   {true, false},
		"https://git.example.com/team2/docs":             {false, false},
		"https://git.example.com/other":                  {false, false},
		"https://git.example.com/team/../other/docs":     {false, false},
		"https://git.example.com/team/%2e%2e/other/docs": {false, false},
		"http://git.example.com/team/docs":               {false, false},
		"https://git.example.com:8443/team/docs":         {false, false},
		"https://git.example.com.evil.example/team/docs": {false, false},
		"https://git.example.com@evil.example/team/docs": {false, false},
		"ssh://git@git.example.com/team/docs":            {false, true},
		"git@git.example.com:team/docs":                  {false, true},
		"file:///team/docs":                              {false, false},
	} {
		if have := [2]bool{password.Covers(repository), key.Covers(repository)}; have != want {
			t.Errorf("%s: password %v, key %v, want %v", repository, have[0], have[1], want)
		}
	}
}
