package agent

import (
	"context"
	"io/fs"
	"log/slog"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// Place describes where a project's files are fetched from and where changes to them are proposed.
type Place struct {
	Remote git.Remote
	Host   pull.Host
}

// Runner runs agent tasks.
type Runner struct {
	Store   *store.Store
	Git     *git.Cache
	Scratch *scratch.Space
	Places  func(ctx context.Context, p project.Project) (Place, error)
	Engines func(name string) (Engine, error)
	Build   func(p project.Project, source fs.FS) agenttools.Build
	// returns "" if there is no preview
	Preview func(ctx context.Context, p project.Project, branch, commit string) (url string, err error)
	Shell   agenttools.Shell   // nil = off
	Samples agenttools.Samples // runs code samples of changed pages; nil = they are not run
	// Products returns the product repositories of a project; nil = none
	Products func(ctx context.Context, p project.Project) ([]Product, error)
	// returns the values that must not appear in an organization's jobs; nil = none are known
	Secrets   func(ctx context.Context, organizationID string) ([]string, error)
	Rules     guard.Rules
	Limits    agentjob.Limits
	Labels    []string // labels for pull requests
	Reviewers []string
	Lease     time.Duration
	Now       func() time.Time
	Log       *slog.Logger
	Reached   func(step string) // called between steps; may be nil
}

// Run works on the held job until it is completed. A fault is the reason for a permanent failure; after any other error
// the task is retried.
func (r *Runner) Run(ctx context.Context, h task.Hold) error {
	job, err := r.Store.StartAgentJob(ctx, h, r.Lease)
	if err != nil {
		return err
	}
	w := &work{Runner: r, job: job, record: stored{store: r.Store, hold: h, lease: r.Lease}}
	defer w.close()
	return w.run(ctx)
}

// Fail marks the job as failed and stores a reason for its owner.
func (r *Runner) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	job, err := r.Store.FindAgentJobByID(ctx, h.TaskID)
	if err != nil {
		return err
	}
	secrets, err := r.secrets(ctx, job)
	if err != nil {
		return err
	}
	return r.Store.FailAgentJob(ctx, h, guard.Redact(why.Sentence, secrets))
}

func (r *Runner) secrets(ctx context.Context, job agentjob.Job) ([]string, error) {
	if r.Secrets == nil {
		return nil, nil
	}
	return r.Secrets(ctx, job.OrganizationID)
}

func (r *Runner) reached(step string) {
	if r.Reached != nil {
		r.Reached(step)
	}
}

// closedPull returns a fault if a round's pull request was merged or closed during the round: its changes belong to
// that pull request, and a merged branch gets no more commits (G7).
func closedPull(j agentjob.Job) error {
	// a pull request without a number is checked when it is found
	if j.PRState == agentjob.PullOpen || j.PRState == "" || j.PRNumber == 0 {
		return nil
	}
	return fault.Newf(fault.Conflict, "pull_"+string(j.PRState), "The job's pull request was %s.", j.PRState).
		WithHint("Send a message to the job: the agent continues on a new branch and opens another pull request.")
}
