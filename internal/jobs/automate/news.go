package automate

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/store"
)

// news is the reason for a run and its material.
type news struct {
	given   string     // untrusted text from others; "" = only what the request contains
	why     string     // appended to the run's detail, starting with a space
	nothing string     // why there is nothing to do; "" = there is something to do
	until   *time.Time // reader activity up to this time has been handled; nil = unchanged
}

// newsOf finds the material for triggers whose request does not contain it.
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

// gaps lists questions and searches of readers that found no answer.
func (s Starting) gaps(ctx context.Context, tx *store.Tx, a automation.Automation, until time.Time) (news, error) {
	questions, searches, err := tx.FindGaps(ctx, a.ProjectID, a.GapsUntil, until, automation.MaxGaps)
	if err != nil {
		return news{}, err
	}
	since := a.GapsUntil.UTC().Format(time.RFC3339)
	given := guard.Redact(guard.Clean(automation.GapList(questions, searches)), s.secrets)
	if given == "" {
		return news{nothing: "Readers have missed nothing since " + since + ".", until: &until}, nil
	}
	return news{given: given, why: " Readers have missed something since " + since + ".", until: &until}, nil
}

// feedback lists pages that readers found unhelpful. If there are too few remarks, they are left for a later run.
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
	given := automation.RemarkList(list[:min(len(list), automation.MaxRemarks)])
	return news{given: guard.Redact(guard.Clean(given), s.secrets), why: " " + said + ".", until: &until}, nil
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
