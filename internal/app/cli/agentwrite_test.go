package cli

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// What somebody wrote while the agent worked is not written over.
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

// Somebody waits for the command, so a model that does not answer is soon given up, and what is said is of use here,
// not on a server.
func TestAgentRunPrintsWhatToReview(t *testing.T) {
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
