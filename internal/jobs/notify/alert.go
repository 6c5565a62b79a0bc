package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/store"
)

// Rule detects one kind of problem that owners should know about.
type Rule struct {
	Name string // stored in the database
	// Find returns every current problem. An alert for a problem that Find no longer returns has ended.
	Find func(ctx context.Context) ([]Finding, error)
}

// Finding is a problem found by a rule.
type Finding struct {
	OrganizationID string
	Subject        string // identifies the problem for as long as it lasts
	Notice         mail.Notice
}

// Alerts applies rules. It raises an alert once when a problem appears, and again only after it has ended.
type Alerts struct {
	Store  *store.Store
	Rules  []Rule
	Mails  bool // also email owners; otherwise only endpoints get the alert
	Logger *slog.Logger
}

// Check applies every rule. If a rule fails, its alerts stay unchanged and the other rules are still applied.
func (a *Alerts) Check(ctx context.Context) error {
	var errs []error
	for _, r := range a.Rules {
		if err := a.apply(ctx, r); err != nil {
			errs = append(errs, fmt.Errorf("alert %s: %w", r.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (a *Alerts) apply(ctx context.Context, r Rule) error {
	found, err := r.Find(ctx)
	if err != nil {
		return err
	}
	before, err := a.Store.ListAlerts(ctx, r.Name)
	if err != nil {
		return err
	}
	known, still := map[store.Alert]bool{}, map[store.Alert]bool{}
	for _, one := range before {
		known[one] = true
	}
	for _, f := range found {
		one := store.Alert{Rule: r.Name, OrganizationID: f.OrganizationID, Subject: f.Subject}
		still[one] = true
		if known[one] {
			continue
		}
		raised, err := a.Store.RaiseAlert(ctx, one, f.Notice, a.Mails)
		if err != nil {
			return err
		}
		if raised {
			a.Logger.InfoContext(ctx, "raised alert", "rule", r.Name, "organization", f.OrganizationID, "subject", f.Subject)
		}
	}
	for _, one := range before {
		if still[one] {
			continue
		}
		if err := a.Store.ClearAlert(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// alert composes the email for an alert.
func (s *Sender) alert(ctx context.Context, m mail.Mail) (mail.Letter, error) {
	n, err := m.Notice()
	if err != nil {
		return mail.Letter{}, err
	}
	org, err := s.Store.FindOrganization(ctx, m.OrganizationID)
	return mail.AlertLetter(n, org.Name, s.PublicURL), err
}
