package cli

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Changes that somebody makes while the agent works are not overwritten.
func TestAgentRunDoesNotOverwriteChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.WriteFile(filepath.Join(dir, "a.mdx"), []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change draft.Change
		good   bool
	}{
		"as it was":           {draft.Change{Path: "a.mdx", Before: []byte("one"), After: []byte("two")}, true},
		"removed as it was":   {draft.Change{Path: "a.mdx", Before: []byte("one")}, true},
		"new":                 {draft.Change{Path: "b/c.mdx", After: []byte("two")}, true},
		"changed":             {draft.Change{Path: "a.mdx", Before: []byte("zero"), After: []byte("two")}, false},
		"there meanwhile":     {draft.Change{Path: "a.mdx", After: []byte("two")}, false},
		"gone meanwhile":      {draft.Change{Path: "b.mdx", Before: []byte("x"), After: []byte("two")}, false},
		"empty, then written": {draft.Change{Path: "a.mdx", Before: []byte{}, After: []byte("two")}, false},
	} {
		if err := unmoved(root, []draft.Change{c.change}); (err == nil) != c.good ||
			err != nil && !fault.HasCode(err, "folder_changed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person waits for the command, so it soon gives up on a model that does not answer, and its error names the local
// setting rather than the server's.
func TestAgentRunReportsUnusableModels(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.mdx"), []byte("# Home\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	invoke(t, "agent", "run", "--dir", dir, "--model", "gpt", "--prompt", "x").
		want(t, 2, `"gpt" is not builtin, command, anthropic:NAME or openai:NAME.`, "--model")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	invoke(t, "LECTERN_AGENT_OPENAI_URL=http://"+nobody.Addr().String()+"/v1", "agent", "run", "--dir", dir, "--model",
		"openai:x", "--prompt", "x").want(t, 1, "The model is not available", "LECTERN_AGENT_OPENAI_URL")
}

// A proposal is printed and nothing is written; after the answer yes it is carried out.
func TestAgentRunAcceptsAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"docs.json": `{"name": "X", "navigation": {"pages": ["index", "faq"]}}`,
		"index.mdx": "---\ntitle: X\n---\n\n[Questions](/faq)\n", "faq.mdx": "---\ntitle: Questions\n---\n\nNone.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	request := []string{"agent", "run", "--dir", dir, "--no-cache", "--quiet", "--prompt", "I think the faq really belongs in help/"}
	invoke(t, request...).want(t, 6, "move `faq.mdx` to `help/faq.mdx`", "Answer `yes` to do it", "--answer")
	if _, err := os.Stat(filepath.Join(dir, "faq.mdx")); err != nil {
		t.Fatal(err)
	}
	invoke(t, append(request, "--answer", "yes")...).want(t, 0, "help/faq.mdx")
	if _, err := os.Stat(filepath.Join(dir, "help", "faq.mdx")); err != nil {
		t.Error(err)
	}
}

// The exit code shows scripts that an agent did not understand the task or has a question.
func TestAgentStartExitCodeShowsOutcome(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	files := siteFiles()
	files["docs.json"] = `{"name": "X", "navigation": {"pages": ["index", "faq"]}}`
	files["faq.mdx"] = "---\ntitle: Questions\n---\n\nNone.\n"
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.example.com",
		"--path", write(t, files), "--wait").want(t, 0).stdout)
	for prompt, words := range map[string]string{"Sing me a song about whales": "did not understand",
		"I think the faq really belongs in help/": "needs an answer"} {
		s.call(t, "agent", "start", "--project", project, "--prompt", prompt, "--wait").want(t, 6, words)
	}
}

// A dry run on a server prints the patch and proposes nothing.
func TestAgentStartDryRunPrintsThePatch(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Home\n---\n\nThe Widget.\n"
	project := strings.TrimSpace(s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.example.com",
		"--path", write(t, files), "--wait").want(t, 0).stdout)
	start := []string{"agent", "start", "--project", project, "--prompt", "rename Widget to Gadget", "--dry-run", "--wait"}
	got := s.call(t, start...).want(t, 0, "Dry run: nothing was pushed or proposed.")
	if !strings.HasPrefix(got.stdout, "diff --git a/index.mdx b/index.mdx\n") || !strings.Contains(got.stdout, "\n+The Gadget.\n") ||
		strings.Contains(got.stderr, "+The Gadget.") {
		t.Errorf("%s\n%s", got.stdout, got.stderr)
	}
	list := s.call(t, "agent", "jobs", "--project", project).want(t, 0).stdout
	shown := s.call(t, "agent", "show", regexp.MustCompile(`aj_\w+`).FindString(list), "--project", project).want(t, 0).stdout
	if !strings.Contains(list, "would_change") || !strings.Contains(shown, "(would change)  dry run") || !strings.Contains(shown, "\n+The Gadget.\n") {
		t.Errorf("%s\n%s", list, shown)
	}
	if proposals := s.call(t, "proposals", "list", "--project", project).want(t, 0); strings.Contains(proposals.stdout, "pp_") {
		t.Errorf("%s", proposals.stdout)
	}
}

// The marks around untrusted data are meant for models and are not printed.
func TestEntriesArePrintedWithoutMarks(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	printEntry(&b, client.AgentEntry{Kind: "note", Text: "They said:\n" + guard.Untrusted("comments", "Nice.")})
	printEntry(&b, client.AgentEntry{Kind: "results", Results: []client.AgentToolResult{{Failed: true, Text: guard.Untrusted("edit", "No.")}}})
	if got := b.String(); strings.Contains(got, "untrusted") || !strings.Contains(got, "Nice.") || !strings.Contains(got, "failed: No.") {
		t.Errorf("%s", got)
	}
}
