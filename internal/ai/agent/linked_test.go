package agent_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// onDisk returns a rig whose project is a git repository on disk; its again.mdx is a link to the start page.
func onDisk(t *testing.T, model llm.Model) *rig {
	t.Helper()
	r := newRig(t, worktest.New(t), model)
	r.dir = worktest.Write(t, files())
	r.check(os.Symlink("guides/start.mdx", filepath.Join(r.dir, "again.mdx")))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-qm", "Begin"}} {
		testgit.Run(t, r.dir, args...)
	}
	r.p = r.Project(t, "docs.example.com", project.Source{Repository: "file://" + r.dir, Branch: "main"})
	return r
}

// A page that is a link changes with its target; a change to the link alone is sent back to the model.
func TestLinkedPageChangesWithItsTarget(t *testing.T) {
	both := calling("edit", `{"path": "guides/start.mdx", "old": "watr", "new": "water"}`, "edit",
		`{"path": "again.mdx", "old": "watr", "new": "water"}`, "finish", `{"title": "T", "summary": "S"}`)
	t.Run("both", func(t *testing.T) {
		r := onDisk(t, &script{answers: []llm.Completion{both}})
		r.start("Fix the typo")
		got, f := r.work()
		if f != nil || got.Status != agentjob.Completed || got.PRNumber != 1 {
			t.Fatalf("%+v %v\n%s", got, f, r.record(got))
		}
		out, err := exec.Command("git", "-C", r.dir, "diff", "--name-only", "main", got.Ref).CombinedOutput()
		if err != nil || string(out) != "guides/start.mdx\n" {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("link alone", func(t *testing.T) {
		alone := calling("edit", `{"path": "again.mdx", "old": "watr", "new": "water"}`, "finish",
			`{"title": "T", "summary": "S"}`)
		fixed := calling("edit", `{"path": "guides/start.mdx", "old": "watr", "new": "water"}`, "finish",
			`{"title": "T", "summary": "S"}`)
		model := &script{answers: []llm.Completion{alone, fixed}}
		r := onDisk(t, model)
		r.start("Fix the typo")
		got, f := r.work()
		if f != nil || got.PRNumber != 1 || len(model.asked) != 2 {
			t.Fatalf("%+v %v\n%s", got, f, r.record(got))
		}
		turns := model.asked[1].Turns
		if text := turns[len(turns)-1].Text; !strings.Contains(text,
			"again.mdx is a symbolic link to guides/start.mdx") {
			t.Errorf("it got %q", text)
		}
	})
}
