package automate

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/build/sitediff"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Published runs the automations that wait for findings, on sites published since their last run. Any number of
// processes may call it: each publication is handled once.
func (s *Starter) Published(ctx context.Context) error {
	list, err := s.Store.ListAutomationsBehind(ctx, dueAtOnce)
	if err != nil {
		return err
	}
	var errs []error
	for _, a := range list {
		if err := s.compareFindings(ctx, a); err != nil {
			errs = append(errs, fmt.Errorf("start automation %s: %w", a.ID, err))
		}
	}
	return errors.Join(errs...)
}

// compareFindings compares the live site with the deployment that the automation saw last.
func (s *Starter) compareFindings(ctx context.Context, known automation.Automation) error {
	ready, err := s.Prepare(ctx, known.OrganizationID)
	if err != nil {
		return err
	}
	return s.Store.Tx(ctx, func(tx *store.Tx) error {
		a, err := tx.HoldAutomation(ctx, known.OrganizationID, known.ProjectID, known.ID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil || a.Seen != known.Seen || a.Trigger != automation.OnFindings || !a.Enabled {
			return err // another process was first, or the automation changed
		}
		p, err := tx.FindProject(ctx, a.OrganizationID, a.ProjectID)
		if err != nil || p.LiveID == a.Seen {
			return err
		}
		// the first deployment is only the baseline
		if err := tx.SeePublication(ctx, a.ID, p.LiveID); err != nil || a.Seen == "" {
			return err
		}
		now, err := tx.FindDeployment(ctx, a.OrganizationID, p.LiveID)
		if err != nil {
			return err
		}
		before, err := tx.FindDeployment(ctx, a.OrganizationID, a.Seen)
		if fault.Is(err, fault.NotFound) { // the baseline was removed: every finding is new
			before, err = deploy.Deployment{}, nil
		}
		if err != nil {
			return err
		}
		fresh, _ := sitediff.New(before.Diagnostics, now.Diagnostics, nil)
		ask := Request{Cause: automation.ByPublication, Given: automation.FindingList(fresh),
			Why: fmt.Sprintf("Publication %s has %d new findings.", now.ID, len(fresh))}
		if len(fresh) < max(a.AtLeast, 1) {
			ask.Given, ask.Nothing = "", fmt.Sprintf("It waits for %d.", a.AtLeast)
		}
		_, err = ready.Start(ctx, tx, a, ask)
		return err
	})
}
