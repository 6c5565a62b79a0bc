package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const receiptColumns = `r.id, r.product_id, p.name, r.job_id, r.page, r.sentence, r.path, r.line, r.commit_id, r.quotation, r.stale_at, ` +
	`r.created_at`

func scanReceipt(s scanner) (project.Receipt, error) {
	var r project.Receipt
	var line, created int64
	var stale *int64
	err := s.Scan(&r.ID, &r.ProductID, &r.Product, &r.JobID, &r.Page, &r.Sentence, &r.Path, &line, &r.Commit, &r.Quotation, &stale, &created)
	r.Line, r.StaleAt, r.CreatedAt = int(line), fromMicrosOrNull(stale), fromMicros(created)
	return r, err
}

// KeepReceipts replaces a job's receipts for the given pages. Receipts for a product repository that has been
// disconnected are dropped.
func (s *Store) KeepReceipts(ctx context.Context, organizationID, projectID, jobID string, pages []string,
	list []project.Receipt) error {
	return s.Tx(ctx, func(t *Tx) error {
		for _, page := range pages {
			if _, err := t.q.exec(ctx, `DELETE FROM receipts WHERE job_id = $1 AND page = $2`, jobID,
				cleanText(page)); err != nil {
				return wrap("replace receipts", err)
			}
		}
		for _, r := range list {
			if _, err := t.q.exec(ctx, `INSERT INTO receipts (id, product_id, job_id, page, sentence, path, line, commit_id, quotation,
				created_at) SELECT $1, p.id, $5, $6, $7, $8, $9, $10, $11, $12 FROM product_repositories p
				WHERE p.organization_id = $2 AND p.project_id = $3 AND p.name = $4`, t.s.ids.New(id.Receipt), organizationID,
				projectID, r.Product, jobID, cleanText(r.Page), cleanText(r.Sentence), cleanText(r.Path), r.Line, r.Commit,
				cleanText(r.Quotation), micros(t.now())); err != nil {
				return wrap("store receipt", err)
			}
		}
		return nil
	})
}

// mergeReceipts is called once a job's changes are merged. For pages that the job cited again, it deletes older
// receipts: receipts of other jobs that are stale or quote the same code.
func (t *Tx) mergeReceipts(ctx context.Context, j agentjob.Job) error {
	_, err := t.q.exec(ctx, `DELETE FROM receipts WHERE job_id <> $1
		AND product_id IN (SELECT id FROM product_repositories WHERE project_id = $2) AND EXISTS (SELECT 1 FROM receipts n
		WHERE n.job_id = $1 AND n.page = receipts.page AND (receipts.stale_at IS NOT NULL OR n.product_id = receipts.product_id
		AND n.path = receipts.path AND n.quotation = receipts.quotation))`, j.ID, j.ProjectID)
	return wrap("end receipts of merged pages", err)
}

// DeleteReceipt deletes one of a project's receipts after its page has been reviewed, and returns its last state.
func (t *Tx) DeleteReceipt(ctx context.Context, organizationID, projectID, receiptID string) (project.Receipt, error) {
	r, err := single(ctx, t.q, scanReceipt, `SELECT `+receiptColumns+` FROM receipts r JOIN product_repositories p
		ON p.id = r.product_id WHERE p.organization_id = $1 AND p.project_id = $2 AND r.id = $3`, organizationID, projectID, receiptID)
	if errors.Is(err, errNone) {
		return r, project.UnknownReceipt()
	}
	if err != nil {
		return r, wrap("find receipt", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM receipts WHERE id = $1`, r.ID)
	return r, wrap("delete receipt", err)
}

// ListReceipts returns a page of a project's receipts, newest first. If state is "", receipts in any state are
// included. It omits receipts that belong to closed proposals.
func (r reads) ListReceipts(ctx context.Context, organizationID, projectID string, state project.ReceiptState,
	p Page) ([]project.Receipt, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanReceipt, `SELECT `+receiptColumns+` FROM receipts r
		JOIN product_repositories p ON p.id = r.product_id LEFT JOIN agent_jobs j ON j.id = r.job_id
		WHERE p.organization_id = $1 AND p.project_id = $2 AND COALESCE(j.pr_state, '') <> 'closed'
		AND ($3 = '' OR $3 = CASE WHEN r.stale_at IS NULL THEN 'current' ELSE 'stale' END)
		AND (r.created_at, r.id) < ($4, $5) ORDER BY r.created_at DESC, r.id DESC LIMIT $6`, organizationID, projectID,
		string(state), at, after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list receipts", err)
	}
	list, next := cut(list, p.Limit, func(r project.Receipt) (int64, string) { return micros(r.CreatedAt), r.ID })
	return list, next, nil
}

// ListJobReceipts returns a job's receipts that are not stale, ordered by page.
func (r reads) ListJobReceipts(ctx context.Context, jobID string) ([]project.Receipt, error) {
	list, err := collect(ctx, r.q, scanReceipt, `SELECT `+receiptColumns+` FROM receipts r
		JOIN product_repositories p ON p.id = r.product_id WHERE r.job_id = $1 AND r.stale_at IS NULL
		ORDER BY r.page, r.path, r.line, r.id`, jobID)
	return list, wrap("list receipts of job", err)
}

// ListHeldReceipts returns up to limit receipts of a product repository that are not stale. They are ordered by path
// and start after the given one. It omits receipts that belong to closed proposals.
func (r reads) ListHeldReceipts(ctx context.Context, productID string, after project.Receipt,
	limit int) ([]project.Receipt, error) {
	list, err := collect(ctx, r.q, scanReceipt, `SELECT `+receiptColumns+` FROM receipts r
		JOIN product_repositories p ON p.id = r.product_id LEFT JOIN agent_jobs j ON j.id = r.job_id
		WHERE r.product_id = $1 AND r.stale_at IS NULL AND COALESCE(j.pr_state, '') <> 'closed'
		AND (r.path, r.id) > ($2, $3) ORDER BY r.path, r.id LIMIT $4`, productID, after.Path, after.ID, limit)
	return list, wrap("list receipts", err)
}

// MoveReceipt records the current position of a receipt's code.
func (t *Tx) MoveReceipt(ctx context.Context, r project.Receipt, line int, commit string) error {
	_, err := t.q.exec(ctx, `UPDATE receipts SET line = $2, commit_id = $3 WHERE id = $1`, r.ID, line, commit)
	return wrap("move receipt", err)
}

// EndReceipt marks a receipt as stale because its code no longer exists, and records an event for the users who
// maintain the page.
func (t *Tx) EndReceipt(ctx context.Context, p project.Product, r project.Receipt, commit string) error {
	n, err := t.q.exec(ctx, `UPDATE receipts SET stale_at = $2 WHERE id = $1 AND stale_at IS NULL`, r.ID, micros(t.now()))
	if err != nil || n == 0 {
		return wrap("end receipt", err)
	}
	return t.Record(ctx, event.New(p.OrganizationID, "system", "receipt.stale", r.ID, "", t.now(),
		map[string]string{"project": p.ProjectID, "page": r.Page, "repository": p.Name, "path": r.Path, "commit": commit}))
}
