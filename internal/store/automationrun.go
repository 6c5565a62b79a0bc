package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const automationRunColumns = `r.id, r.automation_id, r.cause, r.actor, r.decision, r.reason, r.detail, r.context, ` +
	`r.job_id, r.at`

func scanAutomationRun(s scanner) (automation.Run, error) {
	var r automation.Run
	var at int64
	err := s.Scan(&r.ID, &r.AutomationID, &r.Cause, &r.Actor, &r.Decision, &r.Reason, &r.Detail, &r.Context, &r.JobID, &at)
	r.At = fromMicros(at)
	return r, err
}

// AddAutomationRun adds a run to the log of a held automation and deletes entries that are too old. After a scheduled
// run, the next run is planned. Other runs leave the planned run unchanged, even if it is overdue. gapsUntil is the
// time up to which gaps have been handled; nil leaves it unchanged.
func (t *Tx) AddAutomationRun(ctx context.Context, a automation.Automation, r automation.Run,
	gapsUntil *time.Time) (automation.Run, error) {
	now := t.now()
	r.ID, r.AutomationID, r.At = t.s.ids.New(id.AutomationRun), a.ID, now
	r.Detail, r.Context = cleanText(r.Detail), cleanText(r.Context)
	if _, err := t.q.exec(ctx, `INSERT INTO automation_runs (id, automation_id, cause, actor, decision, reason, detail, context,
		job_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, r.ID, a.ID, string(r.Cause), r.Actor,
		string(r.Decision), string(r.Reason), r.Detail, r.Context, r.JobID, micros(now)); err != nil {
		return r, wrap("store run of automation", err)
	}
	if _, err := t.q.exec(ctx, `DELETE FROM automation_runs WHERE automation_id = $1 AND at < $2`, a.ID,
		micros(now.Add(-automation.KeepRuns))); err != nil {
		return r, wrap("delete old runs of automation", err)
	}
	if gapsUntil == nil {
		gapsUntil = &a.GapsUntil
	}
	next := a.NextRunAt
	if r.Cause == automation.BySchedule {
		next = a.Plan(now)
	}
	_, err := t.q.exec(ctx, `UPDATE automations SET next_run_at = $2, last_run_at = $3, gaps_until = $4 WHERE id = $1`, a.ID,
		microsOrNull(next), micros(now), micros(*gapsUntil))
	return r, wrap("plan next run of automation", err)
}

// ListAutomationRuns returns one page of an automation's log, newest first.
func (r reads) ListAutomationRuns(ctx context.Context, automationID string, p Page) ([]automation.Run, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanAutomationRun, `SELECT `+automationRunColumns+` FROM automation_runs r
		WHERE r.automation_id = $1 AND (r.at, r.id) < ($2, $3) ORDER BY r.at DESC, r.id DESC LIMIT $4`, automationID, at,
		after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list runs of automation", err)
	}
	list, next := cut(list, p.Limit, func(r automation.Run) (int64, string) { return micros(r.At), r.ID })
	return list, next, nil
}

// FindAutomationPast returns the earlier activity of an automation. The limits on the automation depend on it.
func (r reads) FindAutomationPast(ctx context.Context, automationID string, now time.Time) (past automation.Past,
	err error) {
	// Starts with a time in the future were stored before the clock was set back. They must not count for longer than
	// other starts (J10).
	n, err := single(ctx, r.q, value[int64], `SELECT COUNT(*) FROM automation_runs WHERE automation_id = $1
		AND decision = 'started' AND at > $2 AND at <= $3`, automationID, micros(now.Add(-24*time.Hour)), micros(now))
	if err != nil {
		return past, wrap("count runs of automation", err)
	}
	past.Today = int(n)
	of := func(column, where string) (string, error) {
		found, err := single(ctx, r.q, value[string], `SELECT j.`+column+` FROM automation_runs r JOIN agent_jobs j ON j.id = r.job_id
			WHERE r.automation_id = $1 AND r.job_id <> '' AND `+where+` ORDER BY r.at DESC, r.id DESC LIMIT 1`, automationID)
		if errors.Is(err, errNone) {
			return "", nil
		}
		return found, wrap("find jobs of automation", err)
	}
	if past.Working, err = of("id", `j.status = 'active'`); err != nil {
		return past, err
	}
	past.Open, err = of("pr_link", `j.pr_number <> 0 AND j.pr_state IN ('', 'open')`)
	return past, err
}

// FindGaps returns what readers of a project looked for without success, after since and up to until. It returns up to
// most questions, newest first; up to most searches, most frequent first; and up to mostRefused refused questions,
// newest first.
func (r reads) FindGaps(ctx context.Context, projectID string, since, until time.Time, most,
	mostRefused int) (out automation.Gaps, err error) {
	questions := func(kind conversation.Type, most int) ([]automation.Gap, error) {
		list, err := collect(ctx, r.q, func(s scanner) (g automation.Gap, err error) {
			err = s.Scan(&g.Text, &g.Page)
			return g, err
		}, `SELECT question, page FROM exchanges WHERE project_id = $1 AND kind = $2 AND at > $3 AND at <= $4
			ORDER BY at DESC, id DESC LIMIT $5`, projectID, string(kind), micros(since), micros(until), most)
		return list, wrap("list questions without an answer", err)
	}
	if out.Questions, err = questions(conversation.Unanswered, most); err != nil {
		return out, err
	}
	if out.Refused, err = questions(conversation.Refused, mostRefused); err != nil {
		return out, err
	}
	out.Searches, err = collect(ctx, r.q, func(s scanner) (g automation.Gap, err error) {
		err = s.Scan(&g.Text, &g.Times)
		return g, err
	}, `SELECT query, `+sumOf("no_results")+` FROM audience_searches WHERE project_id = $1 AND day >= $2 AND last_at > $3 AND last_at <= $4
		AND no_results > 0 AND hits = 0 GROUP BY query ORDER BY 2 DESC, query LIMIT $5`, projectID,
		int64(audience.DayOf(since)), micros(since), micros(until), most)
	return out, wrap("list searches without a result", err)
}

// FindRemarks returns readers' reports of unhelpful pages in a project, made after since and up to until, newest first.
// It omits feedback that has already been handled.
func (r reads) FindRemarks(ctx context.Context, projectID string, since, until time.Time,
	most int) ([]automation.Remark, error) {
	list, err := collect(ctx, r.q, func(s scanner) (m automation.Remark, err error) {
		err = s.Scan(&m.Page, &m.Comment, &m.Code)
		return m, err
	}, `SELECT path, comment, code FROM feedback WHERE project_id = $1 AND helpful = 0 AND created_at > $2 AND created_at <= $3
		AND status IN ('pending', 'in_progress') ORDER BY created_at DESC, id DESC LIMIT $4`, projectID, micros(since),
		micros(until), most)
	return list, wrap("list remarks of readers", err)
}
