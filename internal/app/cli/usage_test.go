package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
)

// flat replaces every run of white space in a text with a single space, so that line breaks do not matter.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestHelpNamesEveryCommandAndExitCode(t *testing.T) {
	t.Parallel()
	help := flat(invoke(t, "--help").want(t, 0).stdout)
	for _, text := range []string{
		"Usage: lectern <command>", "serve Run everything", "worker Run only workers", "serve-bundle run",
		"serve-bundle versions", "serve-bundle rollback", "migrate", "keys create", "keys list", "keys revoke",
		"org list", "org plan",
		"org members add", "org members list", "new Create", "dev Preview", "export Build", "bundle verify Verify",
		"check Check", "fmt Format", "score Rate", "mcp Serve", "cache show", "cache clear", "mv Rename",
		"upgrade Convert", "projects create", "projects list", "projects update", "projects status",
		"exports start", "exports wait", "exports link", "exports download", "exports list", "exports cancel",
		"version Print",
		"org invite", "members list", "members invite", "members role", "members remove", "events list",
		"events export", "events check", "projects deployments", "projects rollback",
		"0 done 1 failed 2 wrong usage or invalid setting 3 denied", "4 not found 5 conflict with the current state 6 not done",
	} {
		if !strings.Contains(help, text) {
			t.Errorf("help lacks %q", text)
		}
	}
	if strings.Contains(help, "internal-") {
		t.Error("the help shows the hidden command")
	}
}

func TestServeHelpNamesEverySetting(t *testing.T) {
	t.Parallel()
	help := flat(invoke(t, "serve", "--help").want(t, 0).stdout)
	for _, s := range config.Reference() {
		names := s.Env
		if s.Key != "" {
			names += ", " + s.Key
		}
		if s.Flag != "" {
			names = "[" + names + "]"
		}
		for _, text := range []string{s.Group, s.Flag, names} {
			if !strings.Contains(help, text) {
				t.Errorf("help of serve lacks %q", text)
			}
		}
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"serve", "worker", "serve-bundle", "serve-bundle versions", "serve-bundle rollback", "migrate", "keys create",
		"keys list", "keys revoke", "org list", "org plan", "org members add", "org members list",
		"export", "bundle", "bundle verify", "check", "fmt", "score", "mcp", "upgrade", "projects create",
		"projects list", "projects update", "projects status", "exports start", "exports wait", "exports link",
		"exports download",
		"exports list", "version", "keys", "org", "projects", "exports",
		"org invite", "members", "members list", "members invite", "members role", "members remove", "events",
		"events list", "events export", "events check", "projects deployments", "projects rollback",
	} {
		a := invoke(t, append(strings.Fields(command), "--help")...).want(t, 0)
		if !strings.HasPrefix(a.stdout, "Usage: lectern "+command) || a.stderr != "" {
			t.Errorf("help of %s: %s%s", command, a.stdout, a.stderr)
		}
	}
}

func TestStorageCommandHelpShowsOnlyTheirSettings(t *testing.T) {
	t.Parallel()
	help := invoke(t, "keys", "create", "--help").want(t, 0).stdout
	for _, flag := range []string{"--config=", "--data=", "--database=", "--secret-key-file="} {
		if !strings.Contains(help, flag) {
			t.Errorf("help lacks %s", flag)
		}
	}
	if strings.Contains(help, "--listen") || strings.Contains(help, "--job-lease") {
		t.Error("the help shows a server's settings")
	}
}

func TestMissingCommandIsAUsageErrorWithHelp(t *testing.T) {
	t.Parallel()
	if a := invoke(t).want(t, 2, "Usage: lectern <command>"); a.stdout != "" {
		t.Errorf("printed %q", a.stdout)
	}
}

func TestUsageAndSettingErrorsNameTheCause(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(text string) string {
		f, err := os.CreateTemp(dir, "*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		return f.Name()
	}
	for name, c := range map[string]struct {
		args  []string
		texts []string
	}{
		"unknown command": {[]string{"migrte"},
			[]string{`lectern: unexpected argument migrte, did you mean "migrate"?`, "hint: `lectern --help`"}},
		"unknown flag": {[]string{"serve", "--lisen", "x"},
			[]string{`unknown flag --lisen, did you mean "--listen"?`, "`lectern serve --help`"}},
		"unknown variable": {[]string{"LECTERN_LISTN=x", "serve"},
			[]string{"LECTERN_LISTN: unknown setting.", "hint: Did you mean LECTERN_LISTEN?"}},
		"unknown key": {[]string{"serve", "--config", file("listne: x\n")},
			[]string{":1: listne: unknown setting.", "Did you mean listen?"}},
		"file by variable": {[]string{"LECTERN_CONFIG=" + file("deployment:\n  tipe: x\n"), "serve"},
			[]string{":2: deployment.tipe: unknown setting."}},
		"no such file": {[]string{"serve", "--config", filepath.Join(dir, "none.yaml")},
			[]string{"config: cannot read the settings file"}},
		"bad flag value": {[]string{"serve", "--listen", "nope"}, []string{`listen: "nope" must be HOST:PORT.`,
			"Set by --listen, LECTERN_LISTEN or listen in the settings file."}},
		"bad variable value": {[]string{"LECTERN_JOB_LEASE=soon", "serve"},
			[]string{"job.lease: expected duration", "LECTERN_JOB_LEASE or job.lease"}},
		"bad file value": {[]string{"worker", "--config", file("workers: many\n")},
			[]string{"workers: expected", "--workers, LECTERN_WORKERS"}},
		"bad choice": {[]string{"serve", "--log-level", "loud"},
			[]string{`log.level: must be one of debug, info, warn, error, not "loud".`}},
		"bad secret": {[]string{"LECTERN_SECRET_KEY=short", "serve", "--data", dir},
			[]string{"secret-key: must have at least 32 characters.", "LECTERN_SECRET_KEY"}},
		"storage command too": {[]string{"LECTERN_DATTA=x", "keys", "list"},
			[]string{"LECTERN_DATTA: unknown setting.", "LECTERN_DATA"}},
		"missing argument": {[]string{"export"}, []string{"lectern: "}},
		"missing output":   {[]string{"export", dir}, []string{"missing flags: --out=FILE|DIR"}},
		"no such folder": {[]string{"check", filepath.Join(dir, "none")},
			[]string{"none does not exist.", "hint: Pass the folder that contains docs.json."}},
		"a file as folder": {[]string{"check", file("x: y\n")}, []string{"is not a folder."}},
		"unknown archive": {[]string{"export", dir, "--out", filepath.Join(dir, "site.tar")},
			[]string{"not in .tar.", "--format dir"}},
		"worker on SQLite": {[]string{"worker", "--data", dir},
			[]string{"require PostgreSQL", "lectern serve runs its own workers"}},
	} {
		t.Run(name, func(t *testing.T) {
			if a := invoke(t, c.args...).want(t, 2, c.texts...); a.stdout != "" {
				t.Errorf("printed %q", a.stdout)
			}
		})
	}
}

func TestVersionFlagAndHelpCommandWork(t *testing.T) {
	t.Parallel()
	invoke(t, "--version").want(t, 0)
	for _, args := range [][]string{{"help"}, {"help", "keys", "create"}} {
		a := invoke(t, args...).want(t, 0)
		if want := "Usage: lectern " + strings.Join(args[1:], " "); !strings.HasPrefix(a.stdout, want) {
			t.Errorf("%v printed %.60q", args, a.stdout)
		}
	}
}

func TestFlagsOverrideVariablesAndVariablesOverrideTheFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("f.yaml", []byte("data: from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"from-flag":    {"LECTERN_DATA=from-env", "org", "list", "--config", "f.yaml", "--data", "from-flag"},
		"from-env":     {"LECTERN_DATA=from-env", "org", "list", "--config", "f.yaml"},
		"from-file":    {"org", "list", "--config", "f.yaml"},
		"lectern-data": {"LECTERN_DATA=", "org", "list"},
	} {
		invoke(t, args...).want(t, 0)
		if _, err := os.Stat(filepath.Join(want, "lectern.db")); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		for _, name := range []string{"from-flag", "from-env", "from-file", "lectern-data"} {
			if _, err := os.Stat(name); name != want && err == nil {
				t.Errorf("%v used %s", args, name)
			}
		}
		if err := os.RemoveAll(want); err != nil {
			t.Fatal(err)
		}
	}
}

// K9: the printed part of a cause contains no password.
func TestCausesAreShownOnDemandAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	args := []string{"migrate", "--data", t.TempDir(), "--database",
		"postgres://u:hunter2hunter2@127.0.0.1:1/db?connect_timeout=1"}
	a := invoke(t, args...).want(t, 2, "lectern: database: ")
	if strings.Contains(a.stderr, "cause:") {
		t.Errorf("shows the cause unasked: %s", a.stderr)
	}
	for _, asked := range [][]string{append([]string{"LECTERN_LOG_LEVEL=debug"}, args...), append(args, "--debug")} {
		if a := invoke(t, asked...).
			want(t, 2, "cause: ", "connect to database"); strings.Contains(a.stderr, "hunter2") {
			t.Errorf("shows the password: %s", a.stderr)
		}
	}
}

func TestVersionCommandPrintsVersion(t *testing.T) {
	t.Parallel()
	if a := invoke(t, "version").want(t, 0); !strings.HasPrefix(a.stdout, "lectern v0-test (go") {
		t.Error(a.stdout)
	}
	if a := invoke(t, "version", "--json").want(t, 0); !strings.HasPrefix(a.stdout, `{"version":"v0-test","go":"go`) {
		t.Error(a.stdout)
	}
}
