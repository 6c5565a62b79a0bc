package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// checkout returns a docs folder that is the root of a git checkout. Its git configuration holds a token, and links
// lead to it.
func checkout(t *testing.T) (*os.Root, string) {
	t.Helper()
	all := files()
	all[".git/config"] = "[remote \"origin\"]\n\turl = https://x:the-token@host/docs\n"
	dir := worktest.Write(t, all)
	for name, target := range map[string]string{"aside.mdx": ".git/config", "twice.mdx": "aside.mdx", "folder": ".git",
		"good.mdx": "guides/start.mdx"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root, dir
}

// G2: an agent cannot read git's own files, which may contain credentials, on any path or link.
func TestLocalAgentCannotReadGitFiles(t *testing.T) {
	root, _ := checkout(t)
	model := &script{answers: []llm.Completion{
		calling("read", `{"path": ".git/config"}`, "read", `{"path": "aside.mdx"}`, "read", `{"path": "twice.mdx"}`,
			"read", `{"path": "folder/config"}`,
			"read", `{"path": ".GIT/config"}`, "search", `{"query": "the-token", "exact": true}`, "list",
			`{"folder": ".git"}`),
		{Text: "Nothing.", Stop: llm.Done}}}
	r := newRig(t, worktest.New(t), model)
	one := agent.Local{Folder: root.FS(), Engine: agent.Engine{Model: model}, Build: r.runner.Build(r.p, nil),
		Now: time.Now}
	if _, err := one.Run(context.Background(), "Look"); err != nil {
		t.Fatal(err)
	}
	turns := model.asked[1].Turns
	for _, r := range turns[len(turns)-1].Results {
		if strings.Contains(r.Text, "https://x:") || strings.Contains(r.Text, "config 5") {
			t.Errorf("%s: %s", r.CallID, r.Text)
		}
	}
}

// program is an agent program that runs a script with sh in the docs folder.
type program string

func (p program) Work(ctx context.Context, dir, _ string, _ func(string)) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", string(p))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// G2: a program gets the pages of a checkout, without links and git's files, and may change as many files as the limits
// allow.
func TestProgramWorksOnCheckout(t *testing.T) {
	root, _ := checkout(t)
	p := program(
		`ls -a; for i in $(seq 1 60); do printf -- '---\ntitle: P%s\n---\n\nText.\n' $i > p$i.mdx; done; ln -s /etc/passwd l.mdx; mkdir "$(printf 'd\377')"; touch "$(printf 'd\377')/x" 'a\b'`)
	r := newRig(t, worktest.New(t), nil)
	one := agent.Local{Folder: root.FS(), Engine: agent.Engine{Program: p}, Build: r.runner.Build(r.p, nil), Now: time.Now,
		Scratch: func() (string, func() error, error) { d := t.TempDir(); return d, func() error { return nil }, nil }}
	made, err := one.Run(context.Background(), "Make pages")
	if err != nil || len(made.Changes) != 60 {
		t.Fatalf("%d %v", len(made.Changes), err)
	}
	if strings.Contains(made.Summary, ".git\n") || strings.Contains(made.Summary, "aside") ||
		!strings.Contains(made.Summary, "index.mdx") {
		t.Errorf("it saw %s", made.Summary)
	}
}

// G1: a local agent that takes too long is stopped with a reason.
func TestLocalAgentTimeIsLimited(t *testing.T) {
	root, _ := checkout(t)
	r := newRig(t, worktest.New(t), nil)
	one := agent.Local{Folder: root.FS(), Engine: agent.Engine{Program: program("exec sleep 60")},
		Build: r.runner.Build(r.p, nil), Now: time.Now, Limits: agentjob.Limits{Time: 50 * time.Millisecond},
		Scratch: func() (string, func() error, error) { d := t.TempDir(); return d, func() error { return nil }, nil }}
	if _, err := one.Run(context.Background(), "Wait"); !fault.HasCode(err, "budget_exceeded") {
		t.Errorf("%v", err)
	}
}
