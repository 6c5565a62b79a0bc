package webhook

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/store"
)

// remark stores a comment or label that requests an agent. Whether its author may request one is checked later, because
// the code host is waiting for this response.
func (r *Receiver) remark(ctx context.Context, p project.Project, e pull.Remark, c Call) (Result, error) {
	if !p.Source.Is(e.Repository) {
		return Result{Reason: "The comment is not in the project's repository."}, nil
	}
	list, err := r.store.ListAutomations(ctx, p.OrganizationID, p.ID)
	if err != nil {
		return Result{}, err
	}
	asks := mentions(list, e)
	if len(asks) == 0 {
		return Result{Reason: "The comment or label requests nothing."}, nil
	}
	return r.once(ctx, p, e.Delivery, "record comment", c, func(tx *store.Tx, res *Result) error {
		for _, m := range asks {
			m.OrganizationID, m.ProjectID = p.OrganizationID, p.ID
			fresh, err := tx.AddMention(ctx, m)
			switch {
			case fault.HasCode(err, "too_many_mentions"):
				res.Reason = "There were too many comments of this kind within the hour."
			case err != nil:
				return err
			case !fresh:
				res.Reason = "The comment or label was already received."
			default:
				res.Asked = true
			}
		}
		if res.Asked {
			res.Reason = ""
		}
		return nil
	})
}

// mentions returns the requests in a remark, given the project's automations. A disabled automation counts too: its
// log says why nothing started.
func mentions(list []automation.Automation, e pull.Remark) (out []automation.Mention) {
	m := automation.Mention{Issue: e.Issue, Number: e.Number, URL: e.URL, Author: e.By.Name, AuthorID: e.By.ID,
		Given: automation.About(e.Issue, e.Number, e.Title, e.Body, e.File, e.Line)}
	has := func(t automation.Trigger, label string) bool {
		return slices.ContainsFunc(list, func(a automation.Automation) bool {
			return a.Trigger == t && strings.EqualFold(a.Label, label)
		})
	}
	if e.Comment != "" {
		request, ok := automation.Asked(e.Text)
		if !ok || automation.Own(e.Text) || !has(automation.OnComment, "") {
			return nil
		}
		m.Trigger, m.Source, m.Request = automation.OnComment, "comment "+e.Comment, request
		return []automation.Mention{m}
	}
	for _, label := range e.Labels {
		if label == "" || !has(automation.OnLabel, label) {
			continue
		}
		// Some hosts send all labels with each change, so a label starts only one run for each issue or pull request.
		m.Trigger, m.Label = automation.OnLabel, label
		m.Source = "label " + strings.ToLower(label) + " " + m.What()
		out = append(out, m)
	}
	return out
}
