package webhook

import (
	"context"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// preview creates or updates the preview for a pull request's newest commit, or removes it when the pull request has
// ended, in one transaction with its event.
func (r *Receiver) preview(ctx context.Context, p project.Project, e pull.Event, c Call) (Result, error) {
	if reason := unwanted(p, e); reason != "" {
		return Result{Reason: reason}, nil
	}
	return r.once(ctx, p, e.Delivery, "preview pull request", c, func(tx *store.Tx, res *Result) (err error) {
		if e.Change == pull.Ended || e.Change == pull.Reopened {
			note, _ := describeState(e)
			if err := tx.NoteOnPull(ctx, p.ID, e.Number, agentjob.PullState(e.State), note); err != nil {
				return err
			}
		}
		if e.Change == pull.Ended {
			res.Preview, err = tx.ClosePullPreview(ctx, p, e.Number, pullpreview.State(e.State), c.RequestID)
			if err == nil && !res.Preview {
				res.Reason = "The pull request has no preview."
			}
			return err
		}
		return r.openPreview(ctx, tx, p, e, c, res)
	})
}

// unwanted returns why a pull request gets no preview, or "" if it may have one. The end of a pull request is always
// processed: the settings may have changed since it was opened.
func unwanted(p project.Project, e pull.Event) string {
	switch {
	case e.Change == pull.Ended:
		return ""
	case p.PullPreviews == project.PullsNone:
		return "The project has no previews of pull requests."
	case p.PullPreviews == project.PullsOwn && e.Fork:
		return "The project has no previews of pull requests from forks."
	case p.Source.Repository == "":
		return "The project's source is not a repository."
	case p.Source.Branch != "" && e.Base != p.Source.Branch:
		return "The pull request is not for the project's branch."
	}
	return ""
}

// openPreview starts a preview for an open pull request.
func (r *Receiver) openPreview(ctx context.Context, tx *store.Tx, p project.Project, e pull.Event, c Call,
	res *Result) error {
	known, err := tx.FindPullPreview(ctx, p.ID, e.Number)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil && known.State != pullpreview.Open && e.Change == pull.Pushed {
		res.Reason = "The pull request was closed before." // deliveries may arrive out of order
		return nil
	}
	v := pullpreview.Preview{Number: e.Number, URL: e.URL, Ref: e.Ref, Base: e.Base, Commit: e.HeadCommit,
		Fork: e.Fork}
	if e.Ref == "" {
		v.Refused = pullpreview.Unfetchable
	}
	if v, err = tx.OpenPullPreview(ctx, p, v); err != nil {
		return err
	}
	res.Preview, res.StatusID = true, v.DeploymentID
	if v.DeploymentID == "" {
		res.Preview, res.Reason = false, "The code host does not provide the changes of forks."
		return nil
	}
	data := map[string]string{"project": p.ID, "kind": string(deploy.Preview), "branch": e.Ref, "trigger": deploy.Pull,
		"number": strconv.FormatInt(e.Number, 10), "commit": e.HeadCommit}
	if e.Fork {
		data["fork"] = "true"
	}
	return tx.Record(ctx, event.New(p.OrganizationID, "webhook", "deployment.start", v.DeploymentID, c.RequestID, r.now(),
		data))
}
