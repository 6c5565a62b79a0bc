package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// transcript matches the blocks of a documented session.
var transcript = regexp.MustCompile("(?ms)^```bash transcript=true\n(.*?)^```")

func documented(t *testing.T, guide string) string {
	t.Helper()
	raw, err := os.ReadFile("../docs/guides/" + guide)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range transcript.FindAllStringSubmatch(string(raw), -1) {
		b.WriteString(m[1])
	}
	if b.Len() == 0 {
		t.Fatal("the guide has no transcript")
	}
	return b.String()
}

// The scripts are testscript files. `serve ARGS` starts a server and sets LECTERN_URL and LECTERN_DATA; the actors admin,
// reader and stranger run lectern with their own keys.
func TestScriptsPass(t *testing.T) {
	t.Parallel()
	export, agent := documented(t, "static-export.mdx"), documented(t, "agent-jobs.mdx")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Values[testKey{}] = t
			write(t, filepath.Join(env.WorkDir, "transcript.sh"), export)
			write(t, filepath.Join(env.WorkDir, "agent-transcript.sh"), agent)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"serve":    serveCommand,
			"admin":    actor("ADMIN_KEY"),
			"reader":   actor("READER_KEY"),
			"stranger": actor("STRANGER_KEY"),
			"keep":     keepCommand,
		},
	})
}

type testKey struct{}

func serveCommand(ts *testscript.TestScript, neg bool, args []string) {
	t := ts.Value(testKey{}).(*testing.T)
	data := ts.MkAbs("data")
	p := serve(t, data, nil, args...)
	ts.Defer(p.Kill)
	ts.Setenv("LECTERN_URL", p.url)
	ts.Setenv("LECTERN_DATA", data)
	p.Await("the first key", func() bool { return keyShape.MatchString(p.Output()) })
	ts.Setenv("ADMIN_KEY", keyShape.FindString(p.Output()))
	if neg {
		ts.Fatalf("serve cannot be negated")
	}
}

// actor runs lectern with the key stored in a variable.
func actor(variable string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		ts.Setenv("LECTERN_KEY", ts.Getenv(variable))
		err := ts.Exec("lectern", args...)
		if neg && err == nil {
			ts.Fatalf("it was allowed")
		}
		if !neg && err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

// keepCommand stores the last command's output in a variable: keep NAME [REGEXP with one group].
func keepCommand(ts *testscript.TestScript, _ bool, args []string) {
	out := strings.TrimSpace(ts.ReadFile("stdout"))
	if len(args) == 2 {
		m := regexp.MustCompile(args[1]).FindStringSubmatch(out)
		if m == nil {
			ts.Fatalf("no match for %q in %q", args[1], out)
		}
		out = m[1]
	}
	ts.Setenv(args[0], out)
}
