package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/mail"
)

// Alert is an ongoing condition that an organization's owners have been notified of.
type Alert struct {
	Rule           string
	OrganizationID string
	Subject        string // project id or host name
}

// ListAlerts returns the active alerts for a rule.
func (r reads) ListAlerts(ctx context.Context, rule string) ([]Alert, error) {
	list, err := collect(ctx, r.q, func(s scanner) (a Alert, err error) {
		err = s.Scan(&a.Rule, &a.OrganizationID, &a.Subject)
		return a, err
	}, `SELECT rule, organization_id, subject FROM alerts WHERE rule = $1 ORDER BY organization_id, subject`, rule)
	return list, wrap("list alerts", err)
}

// RaiseAlert records an alert and an event for webhook endpoints. If mails is true, it also queues an email to each
// owner. It does nothing if the alert has already been raised, so several processes may call it.
func (s *Store) RaiseAlert(ctx context.Context, a Alert, n mail.Notice, mails bool) (raised bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		added, err := t.q.exec(ctx, `INSERT INTO alerts (rule, organization_id, subject, raised_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (rule, organization_id, subject) DO NOTHING`, a.Rule, a.OrganizationID, a.Subject, micros(t.now()))
		raised = added == 1
		if err != nil || !raised {
			return wrap("store alert", err)
		}
		if mails {
			if err := t.mailOwners(ctx, a, n); err != nil {
				return err
			}
		}
		return t.Record(ctx, event.New(a.OrganizationID, "system", "alert.raise", a.Subject, "", t.now(),
			map[string]string{"rule": a.Rule, "title": n.Title}))
	})
	return raised, err
}

// mailOwners queues an email about an alert to each owner.
func (t *Tx) mailOwners(ctx context.Context, a Alert, n mail.Notice) error {
	members, err := t.ListMembers(ctx, a.OrganizationID)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Role != account.RoleOwner {
			continue
		}
		if _, err := t.QueueMail(ctx, mail.Mail{OrganizationID: a.OrganizationID, Kind: mail.Alert, To: m.Email,
			Content: n.Encode()}); err != nil {
			return err
		}
	}
	return nil
}

// ClearAlert removes an alert that no longer applies and records an event. If the condition occurs again, a new alert
// is raised.
func (s *Store) ClearAlert(ctx context.Context, a Alert) error {
	return s.Tx(ctx, func(t *Tx) error {
		n, err := t.q.exec(ctx, `DELETE FROM alerts WHERE rule = $1 AND organization_id = $2 AND subject = $3`, a.Rule,
			a.OrganizationID, a.Subject)
		if err != nil || n == 0 { // 0: another process has removed the alert
			return wrap("clear alert", err)
		}
		return t.Record(ctx, event.New(a.OrganizationID, "system", "alert.end", a.Subject, "", t.now(),
			map[string]string{"rule": a.Rule}))
	})
}

// FailingProject is a project whose deployments have all failed since a point in time.
type FailingProject struct {
	ID, OrganizationID, Name string
	Since                    time.Time // time at which the first of these deployments failed
	Error                    string    // error of the latest failure
}

// ListFailingProjects returns the projects whose deployments have been failing since the given time or longer.
func (r reads) ListFailingProjects(ctx context.Context, since time.Time) ([]FailingProject, error) {
	list, err := collect(ctx, r.q, func(s scanner) (p FailingProject, err error) {
		var first int64
		err = s.Scan(&p.ID, &p.OrganizationID, &p.Name, &first, &p.Error)
		p.Since = fromMicros(first)
		return p, err
	}, `SELECT p.id, p.organization_id, p.name, f.since, (SELECT l.error FROM deployments l WHERE l.project_id = p.id
			AND l.kind = 'production' AND l.status = 'failure' ORDER BY l.created_at DESC, l.id DESC LIMIT 1)
		FROM projects p JOIN (SELECT d.project_id, min(d.ended_at) AS since FROM deployments d
			WHERE d.kind = 'production' AND d.status = 'failure' AND NOT EXISTS (SELECT 1 FROM deployments s
				WHERE s.project_id = d.project_id AND s.kind = 'production' AND s.status = 'success' AND s.created_at > d.created_at)
			GROUP BY d.project_id) f ON f.project_id = p.id
		WHERE f.since <= $1 ORDER BY p.id`, micros(since))
	return list, wrap("list failing projects", err)
}
