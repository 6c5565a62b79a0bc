package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const mentionColumns = `m.id, m.organization_id, m.project_id, m.source, m.trigger_kind, m.label, m.issue, m.number, m.url, ` +
	`m.author, m.author_id, m.request, m.given, m.state, m.answer, m.job_id, m.reply_id, m.wanted, m.sent, m.attempts, ` +
	`m.error, m.created_at`

func scanMention(s scanner) (automation.Mention, error) {
	var m automation.Mention
	var attempts, created int64
	err := s.Scan(&m.ID, &m.OrganizationID, &m.ProjectID, &m.Source, &m.Trigger, &m.Label, &m.Issue, &m.Number, &m.URL,
		&m.Author, &m.AuthorID, &m.Request, &m.Given, &m.State, &m.Answer, &m.JobID, &m.ReplyID, &m.Wanted, &m.Sent, &attempts,
		&m.Error, &created)
	m.Attempts, m.CreatedAt = int(attempts), fromMicros(created)
	return m, err
}

// AddMention stores a mention from a code host, together with its task. fresh is false if the mention is already
// stored. If there are too many mentions within an hour, it returns a fault.
func (t *Tx) AddMention(ctx context.Context, m automation.Mention) (fresh bool, err error) {
	now := t.now()
	for _, limit := range []struct {
		author string
		most   int64
	}{{"", automation.MaxMentions}, {m.Author, automation.MaxAuthorMentions}} {
		n, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM mentions WHERE project_id = $1 AND created_at > $2
			AND created_at <= $3 AND ($4 = '' OR author = $4)`, m.ProjectID, micros(now.Add(-time.Hour)), micros(now), limit.author)
		if err != nil {
			return false, wrap("count mentions", err)
		}
		if n >= limit.most {
			return false, fault.New(fault.RateLimited, "too_many_mentions", "The project has had too many requests in the last hour.")
		}
	}
	m.ID = t.s.ids.New(id.Mention)
	n, err := t.q.exec(ctx, `INSERT INTO mentions (id, organization_id, project_id, source, trigger_kind, label, issue, number,
		url, author, author_id, request, given, state, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'new', $14) ON CONFLICT (project_id, source) DO NOTHING`,
		m.ID, m.OrganizationID, m.ProjectID, cleanText(m.Source), string(m.Trigger), cleanText(m.Label), m.Issue, m.Number, m.URL,
		cleanText(m.Author), cleanText(m.AuthorID), cleanText(m.Request), cleanText(m.Given), micros(now))
	if err != nil || n == 0 {
		return false, wrap("store mention", err)
	}
	return true, t.queueFor(ctx, task.Mention, m.ID, m.OrganizationID, m.ProjectID)
}

// FindMention returns a mention, for the worker that handles it.
func (r reads) FindMention(ctx context.Context, mentionID string) (automation.Mention, error) {
	m, err := single(ctx, r.q, scanMention, `SELECT `+mentionColumns+` FROM mentions m WHERE m.id = $1`, mentionID)
	if errors.Is(err, errNone) {
		return m, fault.New(fault.NotFound, "unknown_mention", "Mention not found.")
	}
	return m, wrap("find mention", err)
}

// HoldMention locks the organization, renews the lease of the caller's task and returns its mention, so that the
// mention is decided only once.
func (t *Tx) HoldMention(ctx context.Context, h task.Hold, organizationID string, lease time.Duration) (automation.Mention,
	error) {
	if err := t.HoldOrganization(ctx, organizationID); err != nil {
		return automation.Mention{}, err
	}
	if _, err := t.hold(ctx, h, lease); err != nil {
		return automation.Mention{}, err
	}
	return t.FindMention(ctx, h.TaskID)
}

// DecideMention stores the decision on a held mention. If again is set, the same source may be stored again later as a
// new mention.
func (t *Tx) DecideMention(ctx context.Context, m automation.Mention, again bool) error {
	if again {
		m.Source += " " + m.ID
	}
	_, err := t.q.exec(ctx, `UPDATE mentions SET state = $2, answer = $3, job_id = $4, source = $5 WHERE id = $1`, m.ID,
		string(m.State), cleanText(m.Answer), m.JobID, m.Source)
	return wrap("decide mention", err)
}

// FindDiscussedJob returns the last job that was started or answered by a mention on the same issue or pull request. ok
// reports whether there was one.
func (r reads) FindDiscussedJob(ctx context.Context, m automation.Mention) (j agentjob.Job, ok bool, err error) {
	last, err := single(ctx, r.q, value[string], `SELECT job_id FROM mentions WHERE project_id = $1 AND issue = $2 AND number = $3
		AND state = 'started' ORDER BY created_at DESC, id DESC LIMIT 1`, m.ProjectID, m.Issue, m.Number)
	if errors.Is(err, errNone) {
		return j, false, nil
	}
	if err != nil {
		return j, false, wrap("find job of mention", err)
	}
	j, err = r.FindAgentJobByID(ctx, last)
	if fault.Is(err, fault.NotFound) { // the job has been deleted
		return j, false, nil
	}
	return j, err == nil, err
}

// FindNewestMention returns the latest mention that started or answered a job. ok reports whether there is one.
func (r reads) FindNewestMention(ctx context.Context, jobID string) (m automation.Mention, ok bool, err error) {
	m, err = single(ctx, r.q, scanMention, `SELECT `+mentionColumns+` FROM mentions m WHERE m.job_id = $1
		ORDER BY m.created_at DESC, m.id DESC LIMIT 1`, jobID)
	if errors.Is(err, errNone) {
		return m, false, nil
	}
	return m, err == nil, wrap("find mention of job", err)
}

// queueReplies queues a reply with the job's outcome to the latest mention that started or answered the job. It does
// not change replies to earlier comments.
func (t *Tx) queueReplies(ctx context.Context, jobID string) error {
	m, ok, err := t.FindNewestMention(ctx, jobID)
	if err != nil || !ok {
		return err
	}
	if _, err := t.q.exec(ctx, `UPDATE mentions SET wanted = wanted + 1 WHERE id = $1`, m.ID); err != nil {
		return wrap("want a reply", err)
	}
	return t.requeueReport(ctx, m.ID, m.OrganizationID)
}

// EndReply ends a held mention. m is the state that was reported. why is "" if the reply arrived, otherwise the reason
// why retrying is pointless. If the state has changed in the meantime, the task is queued again.
func (s *Store) EndReply(ctx context.Context, h task.Hold, m automation.Mention, why string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE mentions SET sent = $2, reply_id = $3, error = $4, attempts = 0 WHERE id = $1`,
			h.TaskID, m.Wanted, m.ReplyID, cleanText(why)); err != nil {
			return wrap("end reply", err)
		}
		now, err := t.FindMention(ctx, h.TaskID)
		if fault.Is(err, fault.NotFound) { // it was deleted together with its project
			return nil
		}
		if err == nil && now.Wanted > m.Wanted {
			return t.requeueReport(ctx, now.ID, now.OrganizationID)
		}
		return err
	})
}

// PostponeReply releases a held mention until pause has passed. It is for code hosts that are unreachable or busy. m
// holds the progress made so far.
func (s *Store) PostponeReply(ctx context.Context, h task.Hold, m automation.Mention, why string, pause time.Duration) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.delay(ctx, h, pause); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE mentions SET attempts = attempts + 1, error = $2, reply_id = $3 WHERE id = $1`,
			h.TaskID, cleanText(why), m.ReplyID); err != nil {
			return wrap("postpone reply", err)
		}
		return t.wakeNext(ctx, m.OrganizationID, task.Deliveries)
	})
}
