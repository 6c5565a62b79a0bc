package config

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestSettingsFileIsReadNestedOrDotted(t *testing.T) {
	file := `
# comment
data: /var/lib/lectern
deployment:
  type: air-gapped
features.search: local
features: { analytics: off, assistant: local }
git:
  poll-interval: 0
trusted-proxies:
  - 10.0.0.0/8
  - "192.0.2.1"
allow-address: a.example,b.example
rate-limit: 100
export: {link-life: 2h}
sources: {local: true}
log:
`
	have, err := ParseFile("lectern.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	want := Values{
		"data": "/var/lib/lectern", "deployment.type": "air-gapped", "features.search": "local",
		"features.analytics": "off",
		"features.assistant": "local", "git.poll-interval": "0", "trusted-proxies": "10.0.0.0/8,192.0.2.1",
		"allow-address": "a.example,b.example", "rate-limit": "100", "export.link-life": "2h", "sources.local": "on",
	}
	if !maps.Equal(have, want) {
		t.Errorf("have %v\nwant %v", have, want)
	}
	if v, ok := have.Flag("git-poll-interval"); !ok || v != "0" {
		t.Errorf("by flag name: %q, %v", v, ok)
	}
	if v, ok := have.Flag("listen"); ok {
		t.Errorf("a setting that the file lacks has the value %q", v)
	}
}

func TestSettingsFileErrorsNameKeyAndLine(t *testing.T) {
	for name, c := range map[string]struct {
		file, code, field string
		texts             []string
	}{
		"unknown key": {"data: x\nlisten: :1\ndatabse: y\n", "unknown_setting", "databse",
			[]string{"f.yaml:3", "databse", "Did you mean database?"}},
		"unknown in a group": {"deployment:\n  tpye: cloud\n", "unknown_setting", "deployment.tpye",
			[]string{"f.yaml:2", "deployment.type"}},
		"nothing like it": {"zzzzzzzzzzzz: 1\n", "unknown_setting", "zzzzzzzzzzzz", []string{"--help"}},
		"flag spelling": {"deployment-type: cloud\n", "unknown_setting", "deployment-type",
			[]string{"Did you mean deployment.type?"}},
		"set twice": {"deployment.type: cloud\ndeployment:\n  type: cloud\n", "bad_setting",
			"deployment.type", []string{"f.yaml:3", "line 1"}},
		"duplicate key": {"data: x\ndata: y\n", "bad_setting", "config", []string{"f.yaml:2"}},
		"secret in the file": {"secret-key: hunter2\n", "bad_setting", "secret-key",
			[]string{"LECTERN_SECRET_KEY", "secret-key-file"}},
		"file in the file":    {"config: other.yaml\n", "bad_setting", "config", []string{"--config"}},
		"list for a text":     {"data: [a, b]\n", "bad_setting", "data", []string{"f.yaml:1"}},
		"mapping for a value": {"listen:\n  host: x\n", "bad_setting", "listen", []string{"f.yaml:2"}},
		"value for a group":   {"deployment: cloud\n", "bad_setting", "deployment", []string{"f.yaml:1"}},
		"comma in an item":    {"allow-address: ['a,b']\n", "bad_setting", "allow-address", []string{"commas"}},
		"not a mapping":       {"- a\n- b\n", "bad_setting", "", []string{"f.yaml:1"}},
		"not YAML":            {"data: [\n", "bad_setting", "config", []string{"f.yaml"}},
		"two documents":       {"data: x\n---\ndata: y\n", "bad_setting", "config", []string{"single document"}},
		"number as a name":    {"7: x\n", "unknown_setting", "7", []string{"f.yaml:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseFile("f.yaml", []byte(c.file))
			wantFault(t, err, c.code, c.field, c.texts...)
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the message shows a secret: %v", err)
			}
		})
	}
}

func TestEmptySettingsFileSetsNothing(t *testing.T) {
	for _, file := range []string{"", "\n", "# only a comment\n", "---\n"} {
		if v, err := ParseFile("f.yaml", []byte(file)); err != nil || len(v) != 0 {
			t.Errorf("%q: %v, %v", file, v, err)
		}
	}
}

func TestVariableOverridesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lectern.yaml")
	if err := os.WriteFile(path, []byte("listen: 127.0.0.1:1\ndata: from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := NewEnv([]string{"LECTERN_LISTEN=127.0.0.1:2", "LECTERN_DATA=", "LECTERN_SECRET_KEY=s", "HOME=/root", "=odd"})
	have, err := Load(path, env)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Values{"listen": "127.0.0.1:2", "data": "from-file"}); !maps.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
	named, err := Load("", Env{"LECTERN_CONFIG": path})
	if err != nil || named["data"] != "from-file" {
		t.Errorf("a file named by its variable: %v, %v", named, err)
	}
}

func TestMissingSettingsFileIsAnError(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.yaml"), nil)
	wantFault(t, err, "bad_setting", "config", "none.yaml")
}

func TestUnknownLecternVariablesAreRefused(t *testing.T) {
	good := NewEnv([]string{"LECTERN_URL=u", "LECTERN_KEY=k", "LECTERN_CACHE=c", "LECTERN_CREDENTIAL_X=y",
		"LECTERN_JOB_LEASE=1s", "LECTERNX=1", "PATH=/bin"})
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	_, err := Load("", NewEnv([]string{"LECTERN_DATABSE=postgres://u:hunter2@db/x"}))
	wantFault(t, err, "unknown_setting", "LECTERN_DATABSE", "LECTERN_DATABSE", "Did you mean LECTERN_DATABASE?")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the message shows the value: %v", err)
	}
	if c := good.Client(); c.URL != "u" || c.Key != "k" {
		t.Errorf("client variables: %+v", c)
	}
}

func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{"data: x", "deployment: {type: cloud}", "a: &a [*a]", "features: {search: off}",
		"? x\n: y", "- 1", "data: !!binary x", "<<: {data: x}", "log: {level: |\n  debug\n}"} {
		f.Add([]byte(seed))
	}
	known := map[string]bool{}
	for _, s := range Reference() {
		known[s.Key] = true
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := ParseFile("f.yaml", data)
		if err != nil {
			if _, ok := fault.As(err); !ok {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		for key := range values {
			if !known[key] {
				t.Fatalf("accepted %q, which is not a setting", key)
			}
		}
	})
}
