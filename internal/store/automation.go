package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const automationColumns = `a.id, a.organization_id, a.project_id, a.name, a.trigger_kind, a.schedule, a.prompt, ` +
	`a.workflow, a.max_per_day, a.enabled, a.dry_run, a.owner, a.next_run_at, a.last_run_at, a.gaps_until, a.created_at, ` +
	`a.updated_at, a.at_least, a.seen, a.label, a.noticed`

// scheduleBody is the stored form of a schedule.
type scheduleBody struct {
	Days     []string `json:"days"`
	At       string   `json:"at"`
	TimeZone string   `json:"timeZone"`
}

func encodeSchedule(s automation.Schedule) string {
	if s.IsZero() {
		return ""
	}
	return asJSON(scheduleBody{Days: automation.DayNames(s.Days), At: s.At, TimeZone: s.TimeZone})
}

func scanAutomation(s scanner) (automation.Automation, error) {
	var a automation.Automation
	var schedule, noticed string
	var perDay, until, created, updated, atLeast int64
	var next, last *int64
	if err := s.Scan(&a.ID, &a.OrganizationID, &a.ProjectID, &a.Name, &a.Trigger, &schedule, &a.Prompt, &a.Workflow,
		&perDay, &a.Enabled, &a.DryRun, &a.Owner, &next, &last, &until, &created, &updated, &atLeast,
		&a.Seen, &a.Label, &noticed); err != nil {
		return a, err
	}
	a.MaxPerDay, a.AtLeast, a.NextRunAt, a.LastRunAt = int(perDay), int(atLeast), fromMicrosOrNull(next), fromMicrosOrNull(last)
	a.GapsUntil, a.CreatedAt, a.UpdatedAt = fromMicros(until), fromMicros(created), fromMicros(updated)
	if noticed != "" {
		var err error
		if a.Noticed, err = fromJSON[map[string]string](noticed); err != nil {
			return a, err
		}
	}
	if schedule == "" {
		return a, nil
	}
	body, err := fromJSON[scheduleBody](schedule)
	if err != nil {
		return a, err
	}
	days, err := automation.ParseDays(body.Days)
	a.Schedule = automation.Schedule{Days: days, At: body.At, TimeZone: body.TimeZone}
	return a, err
}

// CreateAutomation stores an automation under a new id and plans its first run.
func (t *Tx) CreateAutomation(ctx context.Context, a automation.Automation) (automation.Automation, error) {
	if err := t.HoldOrganization(ctx, a.OrganizationID); err != nil { // keeps the count below correct
		return a, err
	}
	if _, err := t.FindProject(ctx, a.OrganizationID, a.ProjectID); err != nil {
		return a, err
	}
	n, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM automations WHERE project_id = $1`, a.ProjectID)
	if err != nil {
		return a, wrap("count automations", err)
	}
	if n >= automation.MaxAutomations {
		return a, fault.Newf(fault.Conflict, "too_many_automations", "A project can have at most %d automations.",
			automation.MaxAutomations).WithHint("Delete one that is not needed.")
	}
	now := t.now()
	a.ID, a.CreatedAt, a.UpdatedAt, a.NextRunAt, a.LastRunAt = t.s.ids.New(id.Automation), now, now, a.Plan(now), nil
	a.GapsUntil, a.Seen, a.Noticed = now.Add(-automation.FirstGaps), "", nil
	n, err = t.q.exec(ctx, `INSERT INTO automations (id, organization_id, project_id, name, trigger_kind, schedule, prompt,
		workflow, max_per_day, enabled, dry_run, owner, next_run_at, gaps_until, created_at, updated_at, at_least, label)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17) ON CONFLICT (project_id, name) DO NOTHING`,
		a.ID, a.OrganizationID, a.ProjectID, a.Name, string(a.Trigger), encodeSchedule(a.Schedule), cleanText(a.Prompt),
		a.Workflow, a.MaxPerDay, a.Enabled, a.DryRun, a.Owner, microsOrNull(a.NextRunAt), micros(a.GapsUntil), micros(now),
		max(a.AtLeast, 1), a.Label)
	if err == nil && n == 0 {
		return a, automationExists(a.Name)
	}
	return a, wrap("store automation", err)
}

func automationExists(name string) error {
	return fault.Newf(fault.Conflict, "automation_exists", "The project already has an automation named %s.", name).
		WithField("name").WithHint("Choose another name.")
}

// UpdateAutomation stores the fields of an automation that users may change. If the change affects the schedule, it
// plans the next run again. Otherwise a run that is due stays due.
func (t *Tx) UpdateAutomation(ctx context.Context, a automation.Automation) (automation.Automation, error) {
	before, err := t.FindAutomation(ctx, a.OrganizationID, a.ProjectID, a.ID)
	if err != nil {
		return a, err
	}
	a.UpdatedAt, a.NextRunAt = t.now(), before.NextRunAt
	schedule := encodeSchedule(a.Schedule)
	if a.Enabled != before.Enabled || a.Trigger != before.Trigger || schedule != encodeSchedule(before.Schedule) {
		a.NextRunAt, a.Seen = a.Plan(a.UpdatedAt), "" // publications while the automation was off do not start a run
		a.Noticed = nil
	}
	_, err = t.q.exec(ctx, `UPDATE automations SET name = $2, trigger_kind = $3, schedule = $4, prompt = $5, workflow = $6,
		max_per_day = $7, enabled = $8, dry_run = $9, owner = $10, next_run_at = $11, updated_at = $12, at_least = $13, seen = $14,
		label = $15, noticed = $16 WHERE id = $1`, a.ID,
		a.Name, string(a.Trigger), schedule, cleanText(a.Prompt), a.Workflow, a.MaxPerDay, a.Enabled,
		a.DryRun, a.Owner, microsOrNull(a.NextRunAt), micros(a.UpdatedAt), max(a.AtLeast, 1), a.Seen, a.Label, encodeNoticed(a.Noticed))
	if isUnique(err) {
		return a, automationExists(a.Name)
	}
	return a, wrap("update automation", err)
}

// DeleteAutomation removes an automation and its log. Jobs that it started are kept.
func (t *Tx) DeleteAutomation(ctx context.Context, a automation.Automation) error {
	_, err := t.q.exec(ctx, `DELETE FROM automations WHERE id = $1`, a.ID)
	return wrap("delete automation", err)
}

// HoldAutomation locks an automation and returns it. Until this transaction ends, no other transaction changes or
// starts the automation.
func (t *Tx) HoldAutomation(ctx context.Context, organizationID, projectID, automationID string) (automation.Automation,
	error) {
	if err := t.HoldOrganization(ctx, organizationID); err != nil {
		return automation.Automation{}, err
	}
	return t.FindAutomation(ctx, organizationID, projectID, automationID)
}

// FindAutomation returns an automation that belongs to the given project and organization.
func (r reads) FindAutomation(ctx context.Context, organizationID, projectID, automationID string) (automation.Automation,
	error) {
	return r.oneAutomation(ctx, `a.organization_id = $1 AND a.project_id = $2 AND a.id = $3`, organizationID, projectID,
		automationID)
}

// FindAutomationByName returns a project's automation with the given name.
func (r reads) FindAutomationByName(ctx context.Context, organizationID, projectID, name string) (automation.Automation,
	error) {
	return r.oneAutomation(ctx, `a.organization_id = $1 AND a.project_id = $2 AND a.name = $3`, organizationID, projectID,
		name)
}

func (r reads) oneAutomation(ctx context.Context, where string, args ...any) (automation.Automation, error) {
	a, err := single(ctx, r.q, scanAutomation, `SELECT `+automationColumns+` FROM automations a WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return a, automation.Unknown()
	}
	return a, wrap("find automation", err)
}

// ListAutomations returns all automations of a project, ordered by name.
func (r reads) ListAutomations(ctx context.Context, organizationID, projectID string) ([]automation.Automation, error) {
	list, err := collect(ctx, r.q, scanAutomation, `SELECT `+automationColumns+` FROM automations a
		WHERE a.organization_id = $1 AND a.project_id = $2 ORDER BY a.name`, organizationID, projectID)
	return list, wrap("list automations", err)
}

// ListDueAutomations returns due automations in all organizations, the longest overdue first.
func (r reads) ListDueAutomations(ctx context.Context, now time.Time, limit int) ([]automation.Automation, error) {
	list, err := collect(ctx, r.q, scanAutomation, `SELECT `+automationColumns+` FROM automations a
		WHERE a.next_run_at <= $1 ORDER BY a.next_run_at, a.id LIMIT $2`, micros(now), limit)
	return list, wrap("list due automations", err)
}

// ListAutomationsBehind returns the enabled automations with this trigger, in all organizations, that have not yet
// examined the live deployment. trigger must be one that compares publications.
func (r reads) ListAutomationsBehind(ctx context.Context, trigger automation.Trigger, limit int) ([]automation.Automation,
	error) {
	list, err := collect(ctx, r.q, scanAutomation, `SELECT `+automationColumns+` FROM automations a
		JOIN projects p ON p.id = a.project_id WHERE a.trigger_kind = $1 AND a.enabled AND p.live_id <> ''
		AND p.live_id <> a.seen ORDER BY a.id LIMIT $2`, string(trigger), limit)
	return list, wrap("list automations that wait for a publication", err)
}

// ListAutomationsUpToDate returns the enabled automations with this trigger, in all organizations, that have examined
// the live deployment, ordered by project. trigger must be one that compares publications.
func (r reads) ListAutomationsUpToDate(ctx context.Context, trigger automation.Trigger) ([]automation.Automation, error) {
	list, err := collect(ctx, r.q, scanAutomation, `SELECT `+automationColumns+` FROM automations a
		JOIN projects p ON p.id = a.project_id WHERE a.trigger_kind = $1 AND a.enabled AND p.live_id <> ''
		AND p.live_id = a.seen ORDER BY a.project_id, a.id`, string(trigger))
	return list, wrap("list automations that have examined the live site", err)
}

// SeePublication records that a held automation has examined a deployment.
func (t *Tx) SeePublication(ctx context.Context, automationID, deploymentID string) error {
	_, err := t.q.exec(ctx, `UPDATE automations SET seen = $2 WHERE id = $1`, automationID, deploymentID)
	return wrap("record publication", err)
}

// NoticeDescriptions records how remote API descriptions differ from the copies in the deployment that a held
// automation examined most recently.
func (t *Tx) NoticeDescriptions(ctx context.Context, automationID string, noticed map[string]string) error {
	_, err := t.q.exec(ctx, `UPDATE automations SET noticed = $2 WHERE id = $1`, automationID, encodeNoticed(noticed))
	return wrap("record API descriptions", err)
}

func encodeNoticed(noticed map[string]string) string {
	if len(noticed) == 0 {
		return ""
	}
	return asJSON(noticed)
}
