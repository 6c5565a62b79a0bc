package prose

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// TestMain lets the test binary also run the stages of its sandboxes.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == sandbox.Command {
		os.Exit(sandbox.Enter(os.Args[2]))
	}
	os.Exit(m.Run())
}

// options runs the real Vale, of the version in tools/proselint/go.mod, in the real sandbox.
func options(t *testing.T) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	vale, err := testserver.Installed("bin/vale-v3.21.0")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Program: vale, Runner: sandbox.New(sandbox.Options{Exe: self, Args: []string{sandbox.Command}}),
		Folder: func() (string, func() error, error) {
			dir, err := os.MkdirTemp(t.TempDir(), "")
			return dir, func() error { return os.RemoveAll(dir) }, err
		}}
}

const (
	config = "StylesPath = .styles\nMinAlertLevel = suggestion\n\n[*.{md,mdx}]\nBasedOnStyles = House\n"
	simply = "extends: existence\nmessage: \"Leave out '%s'.\"\nlevel: error\nlink: https://style.example/simply\ntokens:\n  - simply\n"
	email  = "extends: substitution\nmessage: \"Use '%s' instead of '%s'.\"\nlevel: warning\nswap:\n  e-mail: email\n"
	long   = "extends: occurrence\nmessage: \"Shorten it.\"\nlevel: suggestion\nscope: sentence\nmax: 3\ntoken: \\b\\w+\\b\n"
)

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// rules returns a folder with a style, and the given files.
func rules(more map[string]string) fstest.MapFS {
	out := folder(map[string]string{".vale.ini": config, ".styles/House/Simply.yml": simply, ".styles/House/Email.yml": email,
		".styles/House/Long.yml": long, ".styles/House/README.md": "It is simply a style.\n"})
	for name, file := range folder(more) {
		out[name] = file
	}
	return out
}

func check(t *testing.T, docs fs.FS, opt Options) (Result, string) {
	t.Helper()
	result, err := Check(t.Context(), docs, opt)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range result.Findings {
		out.WriteString(d.String() + " (" + d.Hint + ")\n")
	}
	return result, out.String()
}

const page = "---\ntitle: Home\n---\n\n<Note>You simply write an e-mail to them.</Note>\n\n```bash\nsimply\n```\n\nCode like `simply` is left alone.\n"

func TestAlertsAreReportedAsFindings(t *testing.T) {
	t.Parallel()
	result, got := check(t, rules(map[string]string{"index.mdx": page, "guides/clean.mdx": "All is well.\n"}), options(t))
	want := "index.mdx:5:11: error: Leave out 'simply'. (House.Simply) [prose] (https://style.example/simply)\n" +
		"index.mdx:5:27: warning: Use 'email' instead of 'e-mail'. (House.Email) [prose] ()\n"
	if got != want || result.Pages != 2 || result.Config != ".vale.ini" {
		t.Errorf("%d pages by %s, found\n%s\nwant\n%s", result.Pages, result.Config, got, want)
	}
}

// Vale accepts a colon instead of an equals sign, and a comment after a value.
func TestConfigurationSyntaxMatchesVale(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"StylesPath: .styles", "StylesPath = .styles # ours", "StylesPath = .styles ; ours"} {
		docs := rules(map[string]string{".vale.ini": line + "\n[*.{md,mdx}]\nBasedOnStyles = House\n", "index.mdx": page})
		if _, got := check(t, docs, options(t)); !strings.HasPrefix(got, "index.mdx:5:11: error:") {
			t.Errorf("%s: found\n%s", line, got)
		}
	}
}

func TestOnlyChangedPagesAreChecked(t *testing.T) {
	t.Parallel()
	opt := options(t)
	opt.Base = folder(map[string]string{"old.mdx": page})
	result, got := check(t, rules(map[string]string{"old.mdx": page, "new.mdx": "It is simply new.\n"}), opt)
	if result.Pages != 1 || !strings.HasPrefix(got, "new.mdx:1:7: error:") || strings.Contains(got, "old.mdx") {
		t.Errorf("%d pages, found\n%s", result.Pages, got)
	}
}

// The rules are often at the root of a repository whose docs are in a subfolder.
func TestRepositoryRulesApplyToDocsFolder(t *testing.T) {
	t.Parallel()
	opt := options(t)
	opt.Repository, opt.Prefix = rules(map[string]string{"docs/index.mdx": page}), "docs"
	docs, err := fs.Sub(opt.Repository, "docs")
	if err != nil {
		t.Fatal(err)
	}
	if _, got := check(t, docs, opt); !strings.HasPrefix(got, "index.mdx:5:11: error: Leave out 'simply'.") {
		t.Errorf("found\n%s", got)
	}
}

func TestUnusableRulesAreReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ config, want string }{
		"missing style":  {"StylesPath = .styles\n[*.mdx]\nBasedOnStyles = Elsewhere\n", "style 'Elsewhere' does not exist"},
		"outside folder": {"StylesPath = ../../etc\n[*.mdx]\nBasedOnStyles = House\n", "not a folder next to the configuration"},
		"no rules":       {"StylesPath = .styles\n[*.mdx\n", "Vale did not check the prose"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, got := check(t, rules(map[string]string{".vale.ini": c.config, "index.mdx": page}), options(t))
			if !strings.HasPrefix(got, ".vale.ini:1:1: warning: ") || !strings.Contains(got, c.want) || !strings.Contains(got, "[prose-rules]") {
				t.Errorf("found\n%s\nwant %s", got, c.want)
			}
		})
	}
}

// An author's rules must not reach beyond the copies: styles may be links to files of the machine.
func TestSymlinkedStylesAreNotFollowed(t *testing.T) {
	t.Parallel()
	docs := rules(map[string]string{"index.mdx": page})
	docs[".styles/House/Passwords.yml"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("/etc/passwd")}
	if _, got := check(t, docs, options(t)); !strings.HasPrefix(got, "index.mdx:5:11: error:") {
		t.Errorf("found\n%s", got)
	}
}

func TestFolderWithoutRulesIsNotChecked(t *testing.T) {
	t.Parallel()
	if result, got := check(t, folder(map[string]string{"index.mdx": page}), options(t)); result.Config != "" || got != "" {
		t.Errorf("checked by %q, found\n%s", result.Config, got)
	}
}

func TestMissingProgramIsAnError(t *testing.T) {
	t.Parallel()
	opt := options(t)
	opt.Program = "no-such-vale"
	_, err := Check(t.Context(), rules(map[string]string{"index.mdx": page}), opt)
	if !fault.HasCode(err, "program_not_found") {
		t.Errorf("got %v", err)
	}
}
