package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/store"
)

// Receiver processes pushes and events of pull requests. It is safe for concurrent use.
type Receiver struct {
	store   *store.Store
	masters [][]byte
	now     func() time.Time
}

// New returns a Receiver. masters are the server's current master key and earlier ones whose webhook secrets are
// still valid.
func New(s *store.Store, masters [][]byte, now func() time.Time) *Receiver {
	return &Receiver{store: s, masters: masters, now: now}
}

// Call is a webhook request from a code host.
type Call struct {
	ProjectID string
	RequestID string
	Header    http.Header
	Body      []byte // unchanged: the signature covers these bytes
}

// Result is the result of a call.
type Result struct {
	StatusID string // the queued deployment; "" = none
	Preview  bool   // whether the preview of a pull request changed
	Product  bool   // whether a product repository of the project has new commits or tags
	JobID    string // the agent job of the pull request; "" = none
	Asked    bool   // whether a comment or label may start an agent
	Reason   string // why nothing was done; "" if something was
}

// Receive verifies a call and processes it: it queues a deployment, creates or removes a pull request's preview, or
// records the result of an agent's pull request. A call without a valid signature changes nothing.
func (r *Receiver) Receive(ctx context.Context, c Call) (Result, error) {
	p, err := r.store.FindProjectByID(ctx, c.ProjectID)
	if err != nil {
		return Result{}, fmt.Errorf("receive event: %w", err)
	}
	e, err := r.parse(p, c)
	switch {
	case errors.Is(err, forge.ErrIgnored):
		return Result{Reason: "This event is neither a push nor a relevant change of a pull request or an issue."}, nil
	case err != nil:
		return Result{}, fmt.Errorf("receive event: %w", err)
	}
	product, err := r.findProduct(ctx, p, repositoryOf(e))
	switch {
	case err != nil:
		return Result{}, fmt.Errorf("receive event: %w", err)
	case e.Remark != nil && product != "":
		return Result{Reason: "The comment is in a product repository."}, nil
	case e.Remark != nil:
		return r.remark(ctx, p, *e.Remark, c)
	case e.Pull != nil && product != "":
		return Result{Reason: "The pull request is of a product repository."}, nil
	case e.Pull != nil && !e.Pull.Fork && strings.HasPrefix(e.Pull.Head, agentjob.BranchPrefix):
		return r.note(ctx, p, *e.Pull, c)
	case e.Pull != nil:
		return r.preview(ctx, p, *e.Pull, c)
	case product != "":
		return r.once(ctx, p, e.Push.Delivery, "record push to product repository", c, func(tx *store.Tx, res *Result) error {
			res.Product = true
			return tx.AskProduct(ctx, product)
		})
	}
	at, reason := pick(*e.Push, p.Source.Branch)
	if reason != "" {
		version, found, err := r.pickVersion(ctx, p, *e.Push)
		if err != nil || !found {
			return Result{Reason: reason}, err
		}
		at = version
	}
	return r.queue(ctx, p, e.Push.Delivery, at, c)
}

// repositoryOf returns the full name of an event's repository.
func repositoryOf(e forge.Event) string {
	switch {
	case e.Pull != nil:
		return e.Pull.Repository
	case e.Remark != nil:
		return e.Remark.Repository
	}
	return e.Push.Repository
}

// findProduct returns the id of the product repository with this full name; "" = none. People may add the project's
// webhook to its product repositories too.
func (r *Receiver) findProduct(ctx context.Context, p project.Project, repository string) (string, error) {
	if p.Source.Is(repository) {
		return "", nil
	}
	list, err := r.store.ListProducts(ctx, p.OrganizationID, p.ID)
	for _, one := range list {
		if one.Source.Is(repository) {
			return one.ID, err
		}
	}
	return "", err
}

// tip is a branch and its commit after a push.
type tip struct{ branch, commit string }

// pick returns the project's branch after the push, or the reason why the push does not concern the project. A project
// without a branch follows the repository's default branch. A push does not say which branch that is, so pushes to any
// branch count, and the fetch uses the default branch.
func pick(push forge.Push, branch string) (at tip, reason string) {
	if branch != "" {
		change, ok := push.Find(branch)
		switch {
		case !ok:
			return at, "The push is not to the project's branch."
		case change.Deleted:
			return at, deleted
		}
		return tip{change.Branch, change.Commit}, ""
	}
	reason = deleted
	for _, change := range push.Changes() {
		switch {
		case change.Tag():
			reason = "The push is to a tag."
		case strings.HasPrefix(change.Branch, agentjob.BranchPrefix):
			reason = "The push is to an agent's branch." // never the default branch
		case !change.Deleted:
			return tip{change.Branch, change.Commit}, ""
		}
	}
	return at, reason
}

const deleted = "The branch was deleted."

// pickVersion finds a branch or tag in the push that is or was a version of the site. It uses the rules of the live
// site and those of the newest update, because that update may already have listed the refs although it is not live.
func (r *Receiver) pickVersion(ctx context.Context, p project.Project, push forge.Push) (at tip, found bool, err error) {
	for _, find := range []func() (deploy.Deployment, error){
		func() (deploy.Deployment, error) { return r.store.FindDeploymentByID(ctx, p.LiveID) },
		func() (deploy.Deployment, error) { return r.store.FindLastDeployment(ctx, p.ID) },
	} {
		d, err := find()
		if err != nil && !fault.Is(err, fault.NotFound) {
			return at, false, err
		}
		if err != nil || d.Versions == nil {
			continue
		}
		for _, change := range push.Changes() {
			if d.Versions.Rules.Matches(change.Ref()) && !strings.HasPrefix(change.Branch, agentjob.BranchPrefix) {
				return tip{change.Branch, change.Commit}, true, nil
			}
		}
	}
	return at, false, nil
}

// parse verifies the event with the secret derived from each master key in turn, so that rotating the master key does
// not break webhooks.
func (r *Receiver) parse(p project.Project, c Call) (e forge.Event, err error) {
	for _, m := range r.masters {
		e, err = forge.ParseEvent(c.Header, c.Body, project.HookSecret(m, p.ID, p.HookVersion))
		if !fault.Is(err, fault.Unauthenticated) {
			return e, err
		}
	}
	return e, err
}

// once processes a delivery in one transaction with the record that it arrived. A repeated delivery changes nothing.
// what is for the error message.
func (r *Receiver) once(ctx context.Context, p project.Project, delivery, what string, c Call,
	do func(*store.Tx, *Result) error) (Result, error) {
	var res Result
	err := r.store.Tx(ctx, func(tx *store.Tx) error {
		res = Result{}
		fresh, err := tx.TakeDelivery(ctx, p.ID, deliveryName(delivery, c.Body))
		if err != nil {
			return err
		}
		if !fresh {
			res.Reason = again
			return nil
		}
		return do(tx, &res)
	})
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", what, err)
	}
	return res, nil
}

// queue queues the deployment for a push.
func (r *Receiver) queue(ctx context.Context, p project.Project, delivery string, at tip, c Call) (Result, error) {
	return r.once(ctx, p, delivery, "queue deployment for push", c, func(tx *store.Tx, res *Result) error {
		d, err := tx.QueueDeployment(ctx, p, deploy.Production, "", "webhook")
		if err != nil {
			return err
		}
		res.StatusID = d.ID
		return tx.Record(ctx, event.New(p.OrganizationID, "webhook", "deployment.start", d.ID, c.RequestID, r.now(),
			map[string]string{"project": p.ID, "trigger": "webhook", "branch": at.branch, "commit": at.commit}))
	})
}

const again = "This delivery was already received."

// deliveryName returns the code host's delivery id in a form that always fits its column; a delivery without an id is
// identified by its body.
func deliveryName(delivery string, body []byte) string {
	kind, name := "id", []byte(delivery)
	if delivery == "" {
		kind, name = "body", body
	}
	sum := sha256.Sum256(name)
	return kind + " " + hex.EncodeToString(sum[:])
}
