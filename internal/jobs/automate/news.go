package automate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/store"
)

// news is the reason for a run and the data that the agent gets.
type news struct {
	given   string     // untrusted text from others; "" = only what the request contains
	why     string     // appended to the run's detail, starting with a space
	nothing string     // why there is nothing to do; "" = there is something to do
	until   *time.Time // reader activity up to this time has been handled; nil = unchanged
}

// newsOf collects the data for triggers whose request does not contain it.
func (s Starting) newsOf(ctx context.Context, tx *store.Tx, a automation.Automation, ask Request,
	now time.Time) (news, error) {
	switch a.Trigger {
	case automation.OnGaps:
		return s.gaps(ctx, tx, a, now.Add(-automation.GapsSettle))
	case automation.OnFeedback:
		return s.feedback(ctx, tx, a, now.Add(-automation.GapsSettle))
	case automation.OnFindings:
		if ask.Cause != automation.ByPublication {
			return s.findings(ctx, tx, a)
		}
	}
	return news{nothing: ask.Nothing}, nil
}

// gaps lists readers' questions and searches that found no answer. Refused questions alone do not start a job, since
// anyone can send them. A run that has other gaps includes them.
func (s Starting) gaps(ctx context.Context, tx *store.Tx, a automation.Automation, until time.Time) (news, error) {
	gaps, err := tx.FindGaps(ctx, a.ProjectID, a.GapsUntil, until, automation.MaxGaps, automation.MaxRefused)
	if err != nil {
		return news{}, err
	}
	since := a.GapsUntil.UTC().Format(time.RFC3339)
	gaps.Questions, gaps.Searches, gaps.Refused = cleanGaps(gaps.Questions), cleanGaps(gaps.Searches), cleanGaps(gaps.Refused)
	given := guard.Redact(gaps.List(), s.secrets)
	if given == "" && len(gaps.Refused) > 0 {
		return news{nothing: "Readers have missed nothing since " + since + ", except that the assistant refused questions. " +
			"A later run includes them if readers miss something else."}, nil
	}
	if given == "" {
		return news{nothing: "Readers have missed nothing since " + since + ".", until: &until}, nil
	}
	return news{given: given, why: " Readers have missed something since " + since + ".", until: &until}, nil
}

// cleanGaps cleans each gap separately, so that an unclosed comment in one reader's text does not hide the text of
// others. Gaps without visible text are left out.
func cleanGaps(list []automation.Gap) (out []automation.Gap) {
	for _, g := range list {
		g.Text, g.Page = guard.Clean(g.Text), guard.Clean(g.Page)
		if strings.TrimSpace(g.Text) != "" {
			out = append(out, g)
		}
	}
	return out
}

// feedback lists pages that readers found unhelpful. If there are too few remarks, they are kept for a later run.
func (s Starting) feedback(ctx context.Context, tx *store.Tx, a automation.Automation, until time.Time) (news, error) {
	list, err := tx.FindRemarks(ctx, a.ProjectID, a.GapsUntil, until, max(automation.MaxRemarks, automation.MaxAtLeast))
	if err != nil {
		return news{}, err
	}
	since := a.GapsUntil.UTC().Format(time.RFC3339)
	said := fmt.Sprintf("Readers have said %s that a page did not help since %s", times(len(list)), since)
	if len(list) < max(a.AtLeast, 1) {
		return news{nothing: fmt.Sprintf("%s; it waits for %d.", said, a.AtLeast)}, nil
	}
	list = list[:min(len(list), automation.MaxRemarks)]
	for i, m := range list { // each separately, as in cleanGaps
		list[i] = automation.Remark{Page: guard.Clean(m.Page), Comment: guard.Clean(m.Comment), Code: guard.Clean(m.Code)}
	}
	return news{given: guard.Redact(automation.RemarkList(list), s.secrets), why: " " + said + ".", until: &until}, nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// findings lists the checker's findings about the live site, for a run that was not started by a publication.
func (s Starting) findings(ctx context.Context, tx *store.Tx, a automation.Automation) (news, error) {
	p, err := tx.FindProject(ctx, a.OrganizationID, a.ProjectID)
	if err != nil {
		return news{}, err
	}
	if p.LiveID == "" {
		return news{nothing: "The site is not published."}, nil
	}
	d, err := tx.FindDeployment(ctx, a.OrganizationID, p.LiveID)
	if err != nil {
		return news{}, err
	}
	if len(d.Diagnostics) == 0 {
		return news{nothing: "The live site has no findings."}, nil
	}
	return news{given: guard.Redact(guard.Visible(automation.FindingList(d.Diagnostics)), s.secrets),
		why: fmt.Sprintf(" The live site has %d findings.", len(d.Diagnostics))}, nil
}
