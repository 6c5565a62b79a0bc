package pullreport

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// Sender runs report tasks.
type Sender struct {
	Store *store.Store
	// Open returns the code host of a project. A fault means that a retry cannot help.
	Open       func(ctx context.Context, p project.Project) (pull.Reporter, error)
	PreviewURL func(deploymentID string) string
	BuildURL   func(deploymentID string) string // returns the dashboard URL of a build
	Random     func() float64                   // returns 0 to 1; spreads retries
}

// Run makes one attempt to report the newest state of a preview. If the process dies just after the code host accepted
// the report, the same state is reported again, which changes nothing.
func (s *Sender) Run(ctx context.Context, h task.Hold) error {
	v, err := s.Store.FindPullPreviewByID(ctx, h.TaskID)
	if fault.Is(err, fault.NotFound) { // deleted together with its project
		return s.Store.EndReport(ctx, h, v, "")
	}
	if err != nil {
		return err
	}
	v, err = s.report(ctx, v)
	f, isFault := fault.As(err)
	switch {
	case err == nil:
		return s.Store.EndReport(ctx, h, v, "")
	case ctx.Err() != nil || !isFault || fault.IsOutage(err):
		return err
	case f.Kind == fault.Unavailable:
		return s.postpone(ctx, h, v, f)
	}
	return s.Store.EndReport(ctx, h, v, f.Sentence())
}

// Fail ends a report that could not be attempted.
func (s *Sender) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	v, err := s.Store.FindPullPreviewByID(ctx, h.TaskID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return s.Store.EndReport(ctx, h, v, why.Sentence)
}

// postpone schedules a retry when a code host is unavailable or busy.
func (s *Sender) postpone(ctx context.Context, h task.Hold, v pullpreview.Preview, f *fault.Error) error {
	pause, last := pullpreview.PauseAfter(v.Attempts+1, f.RetryAfter, s.Random())
	if last {
		return s.Store.EndReport(ctx, h, v, f.Sentence())
	}
	if err := s.Store.PostponeReport(ctx, h, v, f.Sentence(), pause); err != nil {
		return err
	}
	return task.ErrPostponed
}

// report sends the status and the comment. It always tries both, because a credential may permit only one of them.
func (s *Sender) report(ctx context.Context, v pullpreview.Preview) (pullpreview.Preview, error) {
	p, err := s.Store.FindProjectByID(ctx, v.ProjectID)
	if err != nil {
		return v, err
	}
	var d deploy.Deployment
	if v.DeploymentID != "" {
		d, err = s.Store.FindDeploymentByID(ctx, v.DeploymentID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return v, err
		}
	}
	host, err := s.Open(ctx, p)
	if err != nil {
		return v, err
	}
	now := s.describe(p, v, d)
	var unset error
	if now.commit != "" {
		unset = host.SetStatus(ctx, now.commit, now.status)
	}
	if now.comment == "" {
		return v, unset
	}
	id, err := host.PutComment(ctx, v.Number, pull.Note{ID: v.CommentID, Marker: marker(p.ID), Body: now.comment})
	if id != "" {
		v.CommentID = id
	}
	return v, worse(unset, err)
}

// worse returns the error that decides what happens next: a temporary error, which is retried, takes precedence over
// a permanent one, which ends the report.
func worse(a, b error) error {
	if fault.Is(b, fault.Unavailable) && !fault.Is(a, fault.Unavailable) {
		return b
	}
	if a != nil {
		return errors.Join(a, b)
	}
	return b
}
