package agent_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// files returns a small site with one broken link.
func files() map[string]string {
	return map[string]string{
		"docs.json":        `{"name": "Kettle", "navigation": {"pages": ["index", "guides/start"]}}` + "\n",
		"index.mdx":        "---\ntitle: Welcome\n---\n\nSee [the start](/guides/start).\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n\nBoil watr.\n\n[Gone](/nowhere)\n",
		"AGENTS.md":        "Write short sentences.\n",
	}
}

// script is a model that returns prepared answers in order and keeps the requests it received.
type script struct {
	answers []llm.Completion
	asked   []llm.Ask
}

func (s *script) Answer(ctx context.Context, ask llm.Ask, _ func(string)) (llm.Completion, error) {
	if ctx.Err() != nil {
		return llm.Completion{}, ctx.Err()
	}
	s.asked = append(s.asked, ask)
	said := 0 // the number of answers follows from the conversation itself, as for a real model
	for _, t := range ask.Turns {
		if t.From == llm.Assistant {
			said++
		}
	}
	if said >= len(s.answers) {
		return llm.Completion{}, fault.New(fault.Invalid, "script_over", "The script has no more answers.")
	}
	return s.answers[said], nil
}

// calling returns an answer with calls: alternating names and inputs.
func calling(pairs ...string) llm.Completion {
	a := llm.Completion{Stop: llm.Calling, Usage: llm.Usage{Input: 100, Output: 10}}
	for i := 0; i+1 < len(pairs); i += 2 {
		a.Calls = append(a.Calls,
			llm.Call{ID: pairs[i] + "-" + string(rune('a'+i)), Name: pairs[i], Input: json.RawMessage(pairs[i+1])})
	}
	return a
}

// fixing returns the answers of a model that fixes the typo and finishes.
func fixing() []llm.Completion {
	return []llm.Completion{
		calling("list", `{}`, "read", `{"path": "guides/start.mdx"}`),
		calling("edit", `{"path": "guides/start.mdx", "old": "watr", "new": "water"}`),
		calling("check", `{}`),
		calling("finish", `{"title": "Fix a typo", "summary": "Water was misspelt."}`),
	}
}

// rig is a worker with agents and the embedded code host.
type rig struct {
	*worktest.Env
	t      testing.TB
	dir    string // of the project's source
	home   *local.Home
	merger *merge.Merger
	runner *agent.Runner
	p      project.Project
}

func newRig(t testing.TB, b *worktest.Env, model llm.Model) *rig {
	t.Helper()
	home := &local.Home{Git: b.Source.Git, Dir: b.Source.Own, Source: b.Source, Scratch: b.Scratch.Folder,
		Proposals: merge.Ledger{Store: b.Store, Now: b.Now},
		Link: func(project, id string) string {
			return "http://localhost/dashboard/projects/" + project + "/proposals/" + id
		}, Now: b.Now}
	r := &rig{Env: b, t: t, home: home,
		merger: &merge.Merger{Store: b.Store, Home: home, Local: localdir.Anywhere, Now: b.Now}}
	r.runner = &agent.Runner{Store: b.Store, Git: b.Source.Git, Scratch: b.Scratch, Lease: worktest.Lease, Now: b.Now,
		Log: slog.New(slog.DiscardHandler),
		Places: func(ctx context.Context, p project.Project) (agent.Place, error) {
			remote, err := home.Prepare(ctx, p)
			return agent.Place{Remote: remote, Host: home.Host(p, remote)}, err
		},
		Engines: func(string) (agent.Engine, error) {
			return agent.Engine{Model: model, Price: llm.Price{Input: 3, Output: 15}}, nil
		},
		Build: func(project.Project, fs.FS) agenttools.Build {
			return func(ctx context.Context, src fs.FS, search bool, out output.Sink) (*build.Report, error) {
				return build.Build(ctx, src, build.Options{Offers: capability.Offers{Search: search}}, out)
			}
		},
		Preview: func(_ context.Context, _ project.Project, branch, _ string) (string, error) {
			return "http://preview.localhost/" + branch, nil
		},
		Secrets: func(context.Context, string) ([]string, error) {
			return []string{"hunter2-is-the-key-of-this-server"}, nil
		},
	}
	return r
}

// scene returns a rig with a project whose source is a folder.
func scene(t testing.TB, model llm.Model) *rig {
	t.Helper()
	r := newRig(t, worktest.New(t), model)
	r.dir = worktest.Write(t, files())
	r.p = r.Project(t, "docs.example.com", project.Source{Path: r.dir})
	return r
}

func (r *rig) check(err error) {
	r.t.Helper()
	if err != nil {
		f, _ := fault.As(err)
		r.t.Fatalf("%v (%+v)", err, f)
	}
}

// start stores a job; given is text by other people that the job is about.
func (r *rig) start(prompt string, given ...string) (j agentjob.Job) {
	r.t.Helper()
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(t *store.Tx) (err error) {
		j, err = t.CreateAgentJob(ctx, agentjob.Job{OrganizationID: r.Organization.ID, ProjectID: r.p.ID,
			Repository: "file://" + r.dir, Model: "scripted"},
			agentjob.Entry{Kind: agentjob.Prompt, Author: "key_1", Text: prompt}, given...)
		return err
	}))
	return j
}

// send adds a message.
func (r *rig) send(j agentjob.Job, prompt string) {
	r.t.Helper()
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(t *store.Tx) error {
		_, err := t.SayToAgentJob(ctx, r.Organization.ID, r.p.ID, j.ID,
			agentjob.Entry{Kind: agentjob.Prompt, Author: "key_1", Text: prompt})
		return err
	}))
}

// work runs the waiting task as a worker would, and returns the job and the fault that it ended with.
func (r *rig) work() (agentjob.Job, *fault.Error) {
	r.t.Helper()
	ctx := context.Background()
	tk, ok, err := r.Store.TakeTask(ctx, "test", worktest.Lease, false, task.Agent)
	r.check(err)
	if !ok {
		r.t.Fatal("no task is waiting")
	}
	h := task.Hold{TaskID: tk.ID, Fence: tk.Fence}
	err = r.runner.Run(ctx, h)
	f, isFault := fault.As(err)
	if err != nil && (!isFault || f.Kind == fault.Internal) {
		r.t.Fatalf("the attempt failed: %v", err)
	}
	if isFault {
		r.check(r.runner.Fail(ctx, h, task.Failure{Sentence: f.Sentence()}))
	}
	j, err := r.Store.FindAgentJobByID(ctx, tk.ID)
	r.check(err)
	return j, f
}

// lapse expires the lease of a dead worker.
func (r *rig) lapse() {
	r.t.Helper()
	r.Advance(2 * worktest.Lease)
	if _, err := r.Store.RequeueLapsed(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

// record returns a job's record as "kind code: text" lines.
func (r *rig) record(j agentjob.Job) string {
	r.t.Helper()
	list, err := r.Store.ListAgentEntries(context.Background(), j.ID, 0, 1000)
	r.check(err)
	var b strings.Builder
	for _, e := range list {
		b.WriteString(string(e.Kind) + " " + e.Code + ": " + e.Text + "\n")
		for _, c := range e.Calls {
			b.WriteString("  " + c.Name + " " + string(c.Input) + "\n")
		}
		for _, res := range e.Results {
			b.WriteString("  = " + res.Text + "\n")
		}
	}
	return b.String()
}

// branches lists the agents' branches in the project's repository.
func (r *rig) branches() []string {
	r.t.Helper()
	out, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "for-each-ref",
		"--format=%(refname:short)", "refs/heads/lectern").CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	return strings.Fields(string(out))
}

// tip returns the commit of a branch, or "" if the branch does not exist.
func (r *rig) tip(branch string) string {
	r.t.Helper()
	out, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "for-each-ref",
		"--format=%(objectname)", "refs/heads/"+branch).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// commits counts the commits of a branch that are not on main.
func (r *rig) commits(branch string) string {
	r.t.Helper()
	out, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "rev-list", "--count",
		"main.."+branch).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// proposals returns all proposals of the project.
func (r *rig) proposals() []proposal.Proposal {
	r.t.Helper()
	list, _, err := r.Store.ListProposals(context.Background(), r.Organization.ID, r.p.ID, store.Page{Limit: 100})
	r.check(err)
	return list
}

const soon = 30 * time.Second
