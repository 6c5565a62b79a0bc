package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func hold(t task.Task) task.Hold { return task.Hold{TaskID: t.ID, Fence: t.Fence} }

// Environment variables of a test's child process.
const (
	childDir = "LECTERN_TEST_AGENT_DIR"
	// step at which the child kills itself, and at which occurrence: "answered 2"
	childStep = "LECTERN_TEST_AGENT_STEP"
)

// steps lists all boundaries of a job whose model answers four times.
var steps = []string{"fetched", "answered 1", "worked 1", "answered 2", "worked 2", "answered 4", "worked 4", "checked",
	"pushed", "push recorded", "proposed", "proposal recorded", "completed"}

// G7, G9, J2: a job that is killed at any boundary ends with the same branch, the same commit, one pull request and the
// right status.
func TestKilledJobIsResumed(t *testing.T) {
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			dir, source := t.TempDir(), worktest.Write(t, files())
			b := worktest.Open(t, dir)
			r := newRig(t, b, &script{answers: fixing()})
			r.dir = source
			r.p = r.Project(t, "docs.example.com", project.Source{Path: source})
			j := r.start("Fix the typo on the start page")

			killAt(t, dir, step)
			if step != "completed" { // otherwise nothing is left to do
				r.lapse()
				if got, f := r.work(); f != nil {
					t.Fatalf("%+v %v\n%s", got, f, r.record(got))
				}
			}
			got, err := r.Store.FindAgentJobByID(context.Background(), j.ID)
			if err != nil || got.Status != agentjob.Completed || got.PRNumber != 1 ||
				got.PRState != agentjob.PullOpen || got.Used.Steps < 4 {
				t.Fatalf("%+v %v\n%s", got, err, r.record(got))
			}
			if p := r.proposals(); len(p) != 1 || len(r.branches()) != 1 || r.commits(got.Ref) != "1" ||
				got.HeadCommit == "" {
				t.Errorf("proposals %d, branches %v", len(p), r.branches())
			}
			if c, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID); err != nil || len(c) != 1 ||
				!strings.Contains(string(c[0].After), "Boil water.") {
				t.Errorf("%v %v", c, err)
			}
			if n := strings.Count(r.record(got), "note pull_"); n > 2 {
				t.Errorf("the record mentions %d pull requests:\n%s", n, r.record(got))
			}
			left, err := os.ReadDir(filepath.Join(dir, "work"))
			if err != nil || len(left) > 3 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// killAt runs a child process that works on the waiting job until it kills itself at a step.
func killAt(t *testing.T, dir, step string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildIsKilled$", "-test.count=1")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childStep+"="+step)
	out, err := cmd.CombinedOutput()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() ||
		status.Signal() != syscall.SIGKILL {
		t.Fatalf("the child was not killed at %s: %v\n%s", step, err, out)
	}
}

// G7: a message between a crash and the next attempt builds on what was pushed, whether or not that was recorded.
func TestMessageAfterCrashBuildsOnPushedCommit(t *testing.T) {
	for _, step := range []string{"pushed", "push recorded", "proposed"} {
		t.Run(step, func(t *testing.T) {
			dir, source := t.TempDir(), worktest.Write(t, files())
			answers := append(fixing(), calling("edit", `{"path": "index.mdx", "old": "See", "new": "Read"}`, "finish",
				`{"title": "T", "summary": "S"}`))
			r := newRig(t, worktest.Open(t, dir), &script{answers: answers})
			r.dir = source
			r.p = r.Project(t, "docs.example.com", project.Source{Path: source})
			j := r.start("Fix the typo on the start page")
			killAt(t, dir, step)
			r.send(j, "And say read")
			r.lapse()
			got, f := r.work()
			if f != nil || got.Status != agentjob.Completed || len(r.proposals()) != 1 || len(r.branches()) != 1 {
				t.Fatalf("%+v %v\n%s", got, f, r.record(got))
			}
			if c, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID); err != nil || len(c) != 2 {
				t.Errorf("%v %v\n%s", c, err, r.record(got))
			}
		})
	}
}

// TestChildIsKilled is the child process of the tests above. When it runs on its own, it checks that a child is killed
// at the given step while its job is still active. If it were not, those tests would prove nothing.
func TestChildIsKilled(t *testing.T) {
	dir, step := os.Getenv(childDir), os.Getenv(childStep)
	if dir == "" {
		dir = t.TempDir()
		r := newRig(t, worktest.Open(t, dir), nil)
		r.dir = worktest.Write(t, files())
		r.p = r.Project(t, "docs.example.com", project.Source{Path: r.dir})
		j := r.start("Fix the typo on the start page")
		killAt(t, dir, "answered 1")
		got, err := r.Store.FindAgentJobByID(context.Background(), j.ID)
		if err != nil || got.Status != agentjob.Active || got.Used.Steps != 1 || got.BaseCommit == "" {
			t.Errorf("%+v %v", got, err)
		}
		return
	}
	name, times, _ := strings.Cut(step, " ")
	if times == "recorded" {
		name, times = step, ""
	}
	r := newRig(t, worktest.Open(t, dir), &script{answers: fixing()})
	seen := 0
	r.runner.Reached = func(s string) {
		if s == name {
			seen++
		}
		if s == name && (times == "" || times == string(rune('0'+seen))) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	tk, ok, err := r.Store.TakeTask(context.Background(), "child", worktest.Lease, false)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Fatal("the child was not killed: ", r.runner.Run(context.Background(), hold(tk)))
}
