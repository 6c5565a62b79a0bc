package github

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Open implements pull.Host.
func (h *Host) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	p, err := h.create(ctx, r)
	switch {
	case rest.Status(err) == http.StatusUnprocessableEntity && strings.Contains(rest.Said(err), "already exists"):
		return h.existing(ctx, r, err)
	case err != nil:
		return pull.Pull{}, err
	}
	return p.pull(), h.adorn(ctx, p.Number, r)
}

// create creates a pull request. If the repository's plan does not support drafts, it creates a regular one instead of
// a draft.
func (h *Host) create(ctx context.Context, r pull.Request) (pullRequest, error) {
	var p pullRequest
	in := map[string]any{"title": r.Title, "body": r.Body, "head": r.Head, "base": r.Base, "draft": r.Draft}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/pulls", In: in, Out: &p})
	if r.Draft && rest.Status(err) == http.StatusUnprocessableEntity &&
		strings.Contains(rest.Said(err), "Draft pull requests are not supported") {
		r.Draft = false
		return h.create(ctx, r)
	}
	if err == nil && p.Number <= 0 {
		err = h.api.Unreadable("a pull request without a number")
	}
	return p, err
}

// existing returns the open pull request that prevents a new one; said is the host's error.
func (h *Host) existing(ctx context.Context, r pull.Request, said error) (pull.Pull, error) {
	p, err := h.Find(ctx, r.Head)
	switch {
	case err == nil && p.State != pull.Open, fault.HasCode(err, "unknown_pull"):
		return pull.Pull{}, said
	case err != nil:
		return pull.Pull{}, err
	}
	return p, h.adorn(ctx, p.Number, r)
}

// Update implements pull.Host.
func (h *Host) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	p, err := h.get(ctx, number)
	if err != nil {
		return pull.Pull{}, err
	}
	if p.Draft && !r.Draft {
		if err := h.ready(ctx, p.NodeID); err != nil {
			return pull.Pull{}, err
		}
	}
	in := map[string]any{"title": r.Title, "body": r.Body}
	if _, err := h.api.Do(ctx,
		rest.Call{Method: http.MethodPatch, Path: h.number(number), In: in, Out: &p}); err != nil {
		return pull.Pull{}, err
	}
	return p.pull(), h.adorn(ctx, number, r)
}

// ready marks a draft as ready, which only the GraphQL API supports.
func (h *Host) ready(ctx context.Context, nodeID string) error {
	in := map[string]any{
		"query":     "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }",
		"variables": map[string]string{"id": nodeID},
	}
	var out struct {
		Errors []struct{ Message string }
	}
	if _, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.graph, In: in, Out: &out}); err != nil {
		return err
	}
	if len(out.Errors) > 0 {
		return fault.New(fault.Invalid, "forge_refused", "GitHub did not mark the draft as ready for review.").
			WithHint("The project's credential needs write access to pull requests.")
	}
	return nil
}

// adorn adds labels and reviewers. Refusals by the host are ignored; only a missing response is an error.
func (h *Host) adorn(ctx context.Context, number int64, r pull.Request) error {
	n := strconv.FormatInt(number, 10)
	var errs []error
	if len(r.Labels) > 0 {
		_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/issues/" + n + "/labels",
			In: map[string]any{"labels": r.Labels}})
		errs = append(errs, rest.Grave(err))
	}
	// One at a time, because GitHub refuses the whole list for a single invalid name.
	for _, name := range r.Reviewers {
		in := map[string]any{"reviewers": []string{name}}
		_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost,
			Path: h.repo + "/pulls/" + n + "/requested_reviewers", In: in})
		errs = append(errs, rest.Grave(err))
	}
	return errors.Join(errs...)
}
