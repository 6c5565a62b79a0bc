package gitlab

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// Open implements pull.Host. Labels and reviewers follow in a second request, so that invalid ones do not prevent
// the merge request.
func (h *Host) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	var m mergeRequest
	in := map[string]any{"source_branch": r.Head, "target_branch": r.Base, "title": title(r.Title, r.Draft),
		"description": r.Body}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.project + "/merge_requests", In: in, Out: &m})
	switch {
	case rest.Status(err) == http.StatusConflict:
		return h.existing(ctx, r, err)
	case err != nil:
		return pull.Pull{}, err
	case m.IID <= 0:
		return pull.Pull{}, h.api.Unreadable("a merge request without a number")
	}
	return m.pull(), h.adorn(ctx, m, r)
}

func title(text string, draft bool) string {
	if draft {
		return draftMark + text
	}
	return text
}

// existing returns the open merge request that prevents a new one; said is the host's error.
func (h *Host) existing(ctx context.Context, r pull.Request, said error) (pull.Pull, error) {
	p, err := h.Find(ctx, r.Head)
	switch {
	case err == nil && p.State != pull.Open, fault.HasCode(err, "unknown_pull"):
		return pull.Pull{}, said
	case err != nil:
		return pull.Pull{}, err
	}
	m, err := h.get(ctx, p.Number)
	if err != nil {
		return pull.Pull{}, err
	}
	return p, h.adorn(ctx, m, r)
}

// Update implements pull.Host.
func (h *Host) Update(ctx context.Context, number int64, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	m, err := h.get(ctx, number)
	if err != nil {
		return pull.Pull{}, err
	}
	in := map[string]any{"title": title(r.Title, m.Draft && r.Draft), "description": r.Body}
	if _, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: h.number(number), In: in, Out: &m}); err != nil {
		return pull.Pull{}, err
	}
	return m.pull(), h.adorn(ctx, m, r)
}

// adorn adds labels and reviewers. Refusals by the host are ignored; only a missing response is an error.
func (h *Host) adorn(ctx context.Context, m mergeRequest, r pull.Request) error {
	var errs []error
	change := func(in map[string]any) {
		_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPut, Path: h.number(m.IID), In: in})
		errs = append(errs, rest.Grave(err))
	}
	if len(r.Labels) > 0 {
		change(map[string]any{"add_labels": strings.Join(r.Labels, ",")})
	}
	ids := make([]int64, 0, len(m.Reviewers)+len(r.Reviewers))
	for _, reviewer := range m.Reviewers { // the new list replaces the existing one
		ids = append(ids, reviewer.ID)
	}
	before := len(ids)
	for _, name := range r.Reviewers {
		id, err := h.user(ctx, name)
		errs = append(errs, rest.Grave(err))
		if id > 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > before {
		change(map[string]any{"reviewer_ids": ids})
	}
	return errors.Join(errs...)
}

// user returns the id of a user; 0 if the name is unknown.
func (h *Host) user(ctx context.Context, name string) (int64, error) {
	var list []struct {
		ID       int64
		Username string
	}
	_, err := h.api.Do(ctx, rest.Call{Path: "/users", Query: url.Values{"username": {name}}, Out: &list})
	for _, u := range list {
		if strings.EqualFold(u.Username, name) {
			return u.ID, err
		}
	}
	return 0, err
}
