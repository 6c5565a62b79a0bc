package gitea

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// existingNumber matches the number of the open pull request in the host's error.
var existingNumber = lazyregexp.New(`\bissue_id: (\d{1,12})\b`)

// Open implements pull.Host.
func (h *Host) Open(ctx context.Context, r pull.Request) (pull.Pull, error) {
	r = rest.Fit(r)
	var p pullRequest
	in := map[string]any{"head": r.Head, "base": r.Base, "title": title(r.Title, r.Draft), "body": r.Body}
	_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/pulls", In: in, Out: &p})
	switch {
	case rest.Status(err) == http.StatusConflict:
		return h.existing(ctx, r, err)
	case rest.Status(err) == http.StatusNotFound:
		return pull.Pull{}, h.api.NoBranch(ctx, h.repo, err)
	case err != nil:
		return pull.Pull{}, err
	case p.Number <= 0:
		return pull.Pull{}, h.api.Unreadable("a pull request without a number")
	}
	return p.pull(), h.adorn(ctx, p.Number, r)
}

func title(text string, draft bool) string {
	if draft {
		return draftMark + text
	}
	return text
}

// existing returns the open pull request that prevents a new one; said is the host's error.
func (h *Host) existing(ctx context.Context, r pull.Request, said error) (pull.Pull, error) {
	if m := existingNumber.FindStringSubmatch(rest.Said(said)); m != nil {
		number, _ := strconv.ParseInt(m[1], 10, 64) // at most twelve digits
		p, err := h.get(ctx, number)
		if err == nil && p.own() && p.Head.branch() == r.Head && p.state() == pull.Open {
			return p.pull(), h.adorn(ctx, number, r)
		}
	}
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
	in := map[string]any{"title": title(r.Title, p.Draft && r.Draft), "body": r.Body}
	if _, err := h.api.Do(ctx,
		rest.Call{Method: http.MethodPatch, Path: h.number(number), In: in, Out: &p}); err != nil {
		return pull.Pull{}, err
	}
	return p.pull(), h.adorn(ctx, number, r)
}

// adorn adds labels and reviewers. Refusals by the host are ignored; only a missing response is an error.
func (h *Host) adorn(ctx context.Context, number int64, r pull.Request) error {
	var errs []error
	if len(r.Labels) > 0 {
		errs = append(errs, h.label(ctx, number, r.Labels))
	}
	// One at a time, because the host refuses the whole list for a single invalid name.
	for _, name := range r.Reviewers {
		_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.number(number) + "/requested_reviewers",
			In: map[string]any{"reviewers": []string{name}}})
		errs = append(errs, rest.Grave(err))
	}
	return errors.Join(errs...)
}

const (
	labelPages  = 4
	labelColour = "#5319e7"
)

// label sets labels by id and creates missing ones.
func (h *Host) label(ctx context.Context, number int64, names []string) error {
	known, err := h.labels(ctx)
	if err != nil {
		return rest.Grave(err)
	}
	ids := make([]int64, 0, len(names))
	for _, name := range names {
		id, ok := known[strings.ToLower(name)]
		if !ok {
			var made struct{ ID int64 }
			in := map[string]any{"name": name, "color": labelColour}
			_, err := h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: h.repo + "/labels", In: in, Out: &made})
			if err := rest.Grave(err); err != nil {
				return err
			}
			id = made.ID
		}
		if id > 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	path := h.repo + "/issues/" + strconv.FormatInt(number, 10) + "/labels"
	_, err = h.api.Do(ctx, rest.Call{Method: http.MethodPost, Path: path, In: map[string]any{"labels": ids}})
	return rest.Grave(err)
}

// labels returns the ids of the repository's labels by name, including its owner's if that is an organization.
func (h *Host) labels(ctx context.Context) (map[string]int64, error) {
	known := map[string]int64{}
	for _, path := range []string{"/orgs" + rest.Escape(h.opt.Owner) + "/labels", h.repo + "/labels"} {
		for page := 1; page <= labelPages; page++ {
			var list []struct {
				ID   int64
				Name string
			}
			header, err := h.api.Do(ctx, rest.Call{Path: path,
				Query: url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(perPage)}}, Out: &list})
			if err := rest.Grave(err); err != nil {
				return nil, err
			}
			for _, l := range list {
				known[strings.ToLower(l.Name)] = l.ID
			}
			if !rest.More(header) {
				break
			}
		}
	}
	return known, nil
}
