package automate

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/lectern-docs/lectern/internal/build/sitediff"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Published runs the automations triggered by findings, on sites published since their last run. Any number of
// processes may call it: each publication is handled only once.
func (s *Starter) Published(ctx context.Context) error {
	return s.eachBehind(ctx, automation.OnFindings, s.compareFindings)
}

// eachBehind calls compare for each automation with this trigger that has not examined the live site yet. A failed
// automation does not delay the others.
func (s *Starter) eachBehind(ctx context.Context, trigger automation.Trigger,
	compare func(context.Context, automation.Automation) error) error {
	list, err := s.Store.ListAutomationsBehind(ctx, trigger, dueAtOnce)
	if err != nil {
		return err
	}
	var errs []error
	for _, a := range list {
		if err := compare(ctx, a); err != nil {
			errs = append(errs, fmt.Errorf("start automation %s: %w", a.ID, err))
		}
	}
	return errors.Join(errs...)
}

// compareFindings compares the live site with the deployment that the automation examined last.
func (s *Starter) compareFindings(ctx context.Context, known automation.Automation) error {
	before, now, err := s.publications(ctx, known)
	if err != nil || now.ID == "" {
		return err
	}
	fresh, _ := sitediff.New(before.Diagnostics, now.Diagnostics, nil) // without a baseline every finding is new
	ask := Request{Cause: automation.ByPublication, Given: automation.FindingList(fresh),
		Why: fmt.Sprintf("Publication %s has %d new findings.", now.ID, len(fresh))}
	if len(fresh) < max(known.AtLeast, 1) {
		ask.Given, ask.Nothing = "", fmt.Sprintf("It waits for %d.", known.AtLeast)
	}
	return s.examined(ctx, known, ask, func(tx *store.Tx) error { return tx.SeePublication(ctx, known.ID, now.ID) })
}

// publications returns the deployment that an automation examined last, and the live one. before is zero if there is
// none or it was removed; now is zero if the site is no longer live.
func (s *Starter) publications(ctx context.Context, a automation.Automation) (before, now deploy.Deployment, err error) {
	p, err := s.Store.FindProject(ctx, a.OrganizationID, a.ProjectID)
	if err == nil && p.LiveID != "" {
		now, err = s.Store.FindDeployment(ctx, a.OrganizationID, p.LiveID)
	}
	if fault.Is(err, fault.NotFound) {
		return deploy.Deployment{}, deploy.Deployment{}, nil
	}
	if err == nil && a.Seen != "" {
		before, err = s.Store.FindDeployment(ctx, a.OrganizationID, a.Seen)
	}
	if fault.Is(err, fault.NotFound) {
		before, err = deploy.Deployment{}, nil
	}
	return before, now, err
}

// examined calls note to record what an automation has examined, and runs the automation, in one transaction. It does
// nothing if another process was first or if the automation has changed in the meantime. The first publication only
// sets the baseline. A request without a cause does not run the automation.
func (s *Starter) examined(ctx context.Context, known automation.Automation, ask Request, note func(*store.Tx) error) error {
	ready, err := s.Prepare(ctx, known.OrganizationID)
	if err != nil {
		return err
	}
	return s.Store.Tx(ctx, func(tx *store.Tx) error {
		a, err := tx.HoldAutomation(ctx, known.OrganizationID, known.ProjectID, known.ID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil || a.Seen != known.Seen || !maps.Equal(a.Noticed, known.Noticed) || a.Trigger != known.Trigger || !a.Enabled {
			return err
		}
		if err := note(tx); err != nil || a.Seen == "" || ask.Cause == "" {
			return err
		}
		_, err = ready.Start(ctx, tx, a, ask)
		return err
	})
}
