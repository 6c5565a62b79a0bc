package guard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// codes returns the codes of a change's findings, with "!" appended if a finding blocks.
func codes(rules guard.Rules, changes ...draft.Change) string {
	var out []string
	for _, f := range guard.Check(changes, rules) {
		c := f.Code
		if f.Block {
			c += "!"
		}
		if len(out) == 0 || out[len(out)-1] != c {
			out = append(out, c)
		}
	}
	return strings.Join(out, " ")
}

func fresh(name, text string) draft.Change { return draft.Change{Path: name, After: []byte(text)} }

func changed(name, before, after string) draft.Change {
	return draft.Change{Path: name, Before: []byte(before), After: []byte(after)}
}

// G3: an agent must not change files that start programs or instruct agents, wherever they are and however they are
// spelt.
func TestForbiddenFilesAreRefused(t *testing.T) {
	for _, name := range []string{
		".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", "docs/.github/dependabot.yml", ".gitlab-ci.yml",
		".gitlab/ci/x.yml", ".gitea/workflows/a.yml",
		".forgejo/workflows/a.yml", "bitbucket-pipelines.yml", ".circleci/config.yml", "Jenkinsfile",
		"Jenkinsfile.release", "azure-pipelines.yml", ".drone.yml",
		".woodpecker.yml", ".travis.yml", "appveyor.yml", "CODEOWNERS", "docs/CODEOWNERS", ".github/CODEOWNERS",
		"codeowners",
		"AGENTS.md", "guides/AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".cursor/rules/x.mdc",
		".windsurfrules", ".lectern/AGENTS.md",
		".mintlify/AGENTS.md",
		".git/config", "x/.git/hooks/pre-commit", ".GIT/config", "git~1/config", ".git ./config", ".gitmodules",
		".gitattributes", ".gitignore",
		".g\u200cit/config",
		".env", ".npmrc", ".envrc", ".husky/pre-push", ".vscode/tasks.json", "package.json", "sub/package-lock.json",
		"Makefile", "Dockerfile", "vercel.json",
		"install.sh", "tool.exe", "run.bat", "x.ps1", "node_modules/x/index.mdx", ".hidden/page.mdx",
	} {
		if got := codes(guard.Rules{}, fresh(name, "x\n")); !strings.Contains(got, "forbidden-file!") {
			t.Errorf("%q: %q", name, got)
		}
		if got := codes(guard.Rules{}, draft.Change{Path: name, Before: []byte("x")}); !strings.Contains(got,
			"forbidden-file!") {
			t.Errorf("removing %q: %q", name, got)
		}
		if (guard.Rules{}).Refuse(draft.Change{Path: name}) == "" {
			t.Errorf("%q is not refused by its name", name)
		}
	}
}

func TestOrdinaryFilesMayBeChanged(t *testing.T) {
	for _, name := range []string{"index.mdx", "docs.json", "guides/git.mdx", "guides/github/actions.mdx",
		"images/a.svg", "openapi.yaml", "style.css",
		"logo.png",
		"reference/makefile.mdx", ".well-known/security.txt", "guides/package.json.mdx", "cli/agents.mdx"} {
		if got := codes(guard.Rules{}, fresh(name, "x\n")); got != "" {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := codes(guard.Rules{}, changed("cli/agents.md", "a\n", "b\n")); got != "" {
		t.Errorf("a page about agents: %q", got)
	}
}

func TestOperatorCanAllowFilesExceptGitFiles(t *testing.T) {
	rules := guard.Rules{Allow: []string{"AGENTS.md", "/.github/workflows/", "scripts/**/*.sh", "*.js"}}
	for _, name := range []string{"AGENTS.md", "guides/AGENTS.md", ".github/workflows/docs.yml", "scripts/a/b.sh",
		"scripts/c.sh"} {
		if got := codes(rules, fresh(name, "x\n")); got != "" {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := codes(rules, fresh("widget.js", "x\n")); got != "script" {
		t.Errorf("code that is allowed is still reported: %q", got)
	}
	for _, name := range []string{".github/CODEOWNERS", "other/c.sh", "CLAUDE.md"} {
		if got := codes(rules, fresh(name, "x\n")); got != "forbidden-file!" {
			t.Errorf("%q: %q", name, got)
		}
	}
	for _, all := range []string{"**", "*", ".git/**", ".gitmodules"} {
		for _, name := range []string{".git/config", ".gitmodules"} {
			if got := codes(guard.Rules{Allow: []string{all}}, fresh(name, "x\n")); got != "forbidden-file!" {
				t.Errorf("%q with %q allowed: %q", name, all, got)
			}
		}
	}
}

func TestProgramsAreDetectedByContent(t *testing.T) {
	for name, text := range map[string]string{"a.txt": "#!/bin/sh\nid\n", "logo.png": "\x7fELF\x02\x01",
		"b.mdx": "MZ\x90\x00\x03",
		"c.txt": "version https://git-lfs.github.com/spec/v1\n"} {
		if got := codes(guard.Rules{}, fresh(name, text)); !strings.Contains(got, "forbidden-file!") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := codes(guard.Rules{}, fresh("logo.png", "\x89PNG\r\n\x1a\n\x00")); got != "binary-file" {
		t.Errorf("a picture: %q", got)
	}
	png := []byte("\x89PNG\r\n\x1a\n\x00")
	if got := codes(guard.Rules{}, draft.Change{Path: "old.png", Before: png},
		draft.Change{Path: "new.png", After: png}); got != "" {
		t.Errorf("a picture that was moved: %q", got)
	}
}

func TestDeceptiveOrInvalidNamesAreRefused(t *testing.T) {
	for _, name := range []string{"a\u202egpj.mdx", "a\nb.mdx", "a\u200bb.mdx", "-rf.mdx", "a:b.mdx", "con /x.mdx",
		"x./a.mdx", "a\xff.mdx",
		strings.Repeat("a", 300) + ".mdx"} {
		if got := codes(guard.Rules{}, fresh(name, "x")); !strings.Contains(got, "forbidden-file!") {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := codes(guard.Rules{}, changed("a:b.mdx", "x\n", "y\n")); got != "" {
		t.Errorf("an existing file: %q", got)
	}
}

// G6: changes that exceed the size limits are refused.
func TestSizeIsLimited(t *testing.T) {
	list := []draft.Change{fresh("a.mdx", "aaaa"), fresh("b.mdx", "bbbb")}
	for rules, want := range map[*guard.Rules]string{{}: "", {MaxFiles: 2, MaxBytes: 8}: "", {MaxFiles: 1}: "too-much!",
		{MaxBytes: 7}: "too-much!"} {
		if got := codes(*rules, list...); got != want {
			t.Errorf("%+v: %q", *rules, got)
		}
	}
}

func TestManyWarningsDoNotHideBlockers(t *testing.T) {
	var b strings.Builder
	for range 1000 {
		b.WriteString("zero\u200bwidth " + strings.Repeat("x", b.Len()%7) + "\n")
	}
	b.WriteString("\nimport x from \"https://cdn.evil.dev/x.js\"\n")
	list := guard.Check([]draft.Change{fresh("a.mdx", b.String())}, guard.Rules{})
	blocks := slices.ContainsFunc(list, func(f guard.Finding) bool { return f.Block })
	if len(list) > 300 || !blocks {
		t.Errorf("%d findings, blocks: %v", len(list), blocks)
	}
}

func TestHiddenTextIsReported(t *testing.T) {
	for text, want := range map[string]string{
		"left \u202e right\n": "hidden-text!", "tag \U000e0041\n": "hidden-text!", "\x1b[31mred\n": "hidden-text!",
		"zero\u200bwidth\n": "hidden-text",
		"👩\u200d❤️\u200d👨 and नमस्ते क्\u200dष\n": "", "plain ☺️ text\n": "", "\ufeff# mark at the start\n": "",
	} {
		if got := codes(guard.Rules{}, fresh("a.mdx", text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := codes(guard.Rules{}, changed("a.mdx", "old\u200b line\n", "old\u200b line\nnew\n")); got != "" {
		t.Errorf("existing text: %q", got)
	}
}
