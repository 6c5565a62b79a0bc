package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const productColumns = `p.id, p.organization_id, p.project_id, p.name, p.repository, p.branch, p.credential, p.seen, ` +
	`p.created_by, p.created_at`

func scanProduct(s scanner) (project.Product, error) {
	var p project.Product
	var created int64
	err := s.Scan(&p.ID, &p.OrganizationID, &p.ProjectID, &p.Name, &p.Source.Repository, &p.Source.Branch,
		&p.Source.Credential, &p.Seen, &p.CreatedBy, &created)
	p.CreatedAt = fromMicros(created)
	return p, err
}

// CreateProduct stores a product repository under a new id.
func (t *Tx) CreateProduct(ctx context.Context, p project.Product) (project.Product, error) {
	if err := t.HoldOrganization(ctx, p.OrganizationID); err != nil { // keeps the count below correct
		return p, err
	}
	if _, err := t.FindProject(ctx, p.OrganizationID, p.ProjectID); err != nil {
		return p, err
	}
	n, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM product_repositories WHERE project_id = $1`, p.ProjectID)
	if err != nil {
		return p, wrap("count product repositories", err)
	}
	if n >= project.MaxProducts {
		return p, fault.Newf(fault.Conflict, "too_many_product_repositories",
			"A project can have at most %d product repositories.", project.MaxProducts).
			WithHint("Disconnect one that is not needed.")
	}
	p.ID, p.CreatedAt, p.Seen = t.s.ids.New(id.Product), t.now(), ""
	n, err = t.q.exec(ctx, `INSERT INTO product_repositories (id, organization_id, project_id, name, repository, branch, credential,
		created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (project_id, name) DO NOTHING`,
		p.ID, p.OrganizationID, p.ProjectID, p.Name, p.Source.Repository, p.Source.Branch, p.Source.Credential, p.CreatedBy,
		micros(p.CreatedAt))
	if err == nil && n == 0 {
		return p, fault.Newf(fault.Conflict, "product_repository_exists",
			"The project already has a product repository named %s.", p.Name).WithField("name").
			WithHint("Choose another name.")
	}
	return p, wrap("store product repository", err)
}

// DeleteProduct deletes a product repository and returns its last state.
func (t *Tx) DeleteProduct(ctx context.Context, organizationID, projectID, productID string) (project.Product, error) {
	p, err := single(ctx, t.q, scanProduct, `SELECT `+productColumns+` FROM product_repositories p
		WHERE p.organization_id = $1 AND p.project_id = $2 AND p.id = $3`, organizationID, projectID, productID)
	if errors.Is(err, errNone) {
		return p, project.UnknownProduct()
	}
	if err != nil {
		return p, wrap("find product repository", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM product_repositories WHERE id = $1`, p.ID)
	return p, wrap("delete product repository", err)
}

// ListProducts returns all of a project's product repositories, ordered by name.
func (r reads) ListProducts(ctx context.Context, organizationID, projectID string) ([]project.Product, error) {
	list, err := collect(ctx, r.q, scanProduct, `SELECT `+productColumns+` FROM product_repositories p
		WHERE p.organization_id = $1 AND p.project_id = $2 ORDER BY p.name`, organizationID, projectID)
	return list, wrap("list product repositories", err)
}

// productRetry is how long to wait before a product repository is checked again if a check did not finish.
const productRetry = time.Minute

// TakeDueProducts returns product repositories that were last checked before since, and delays their next check by
// productRetry, so that two replicas do not check the same repository. CheckedProduct delays the next check for longer.
// If the check fails or the process dies, the repository is therefore due again soon. Check times in the future were
// stored before the clock was set back (J10).
func (s *Store) TakeDueProducts(ctx context.Context, since time.Time, limit int) (list []project.Product, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		again := min(micros(since.Add(productRetry)), micros(t.now()))
		list, err = collect(ctx, t.q, scanProduct, `SELECT `+productColumns+` FROM product_repositories p
			WHERE p.checked_at = 0 OR p.checked_at < $1 OR p.checked_at > $3 ORDER BY p.checked_at, p.id LIMIT $2`+t.skipLocked(), micros(since),
			limit, micros(t.now()))
		for _, p := range list {
			if err == nil {
				_, err = t.q.exec(ctx, `UPDATE product_repositories SET checked_at = $2 WHERE id = $1`, p.ID, again)
			}
		}
		return wrap("claim product repositories to check", err)
	})
	return list, err
}

// CheckedProduct records that a product repository was checked. If the code host reported a push during the check, the
// repository stays due.
func (s *Store) CheckedProduct(ctx context.Context, productID string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE product_repositories SET checked_at = $2 WHERE id = $1 AND checked_at <> 0`, productID,
			micros(t.now()))
		return wrap("record check of product repository", err)
	})
}

// AskProduct makes a product repository dueafter its code host reported a push.
func (t *Tx) AskProduct(ctx context.Context, productID string) error {
	_, err := t.q.exec(ctx, `UPDATE product_repositories SET checked_at = 0 WHERE id = $1`, productID)
	return wrap("request check of product repository", err)
}

// SeeProduct records a product repository's newest commit. fresh is false if another process has recorded a commit in
// the meantime.
func (t *Tx) SeeProduct(ctx context.Context, p project.Product, commit string) (fresh bool, err error) {
	n, err := t.q.exec(ctx, `UPDATE product_repositories SET seen = $3 WHERE id = $1 AND seen = $2`, p.ID, p.Seen, commit)
	return n == 1, wrap("record commit of product repository", err)
}

// FindProductTags returns the recorded tags of a product repository, sorted. known reports whether tags were ever
// recorded.
func (r reads) FindProductTags(ctx context.Context, productID string) (tags []string, known bool, err error) {
	raw, err := single(ctx, r.q, value[string], `SELECT tags FROM product_repositories WHERE id = $1`, productID)
	if errors.Is(err, errNone) {
		return nil, false, project.UnknownProduct()
	}
	if err != nil || raw == "" {
		return nil, false, wrap("find tags of product repository", err)
	}
	tags, err = fromJSON[[]string](raw)
	return tags, true, err
}

// SeeTags records a product repository's tags. fresh is false if another process has recorded other tags in the
// meantime.
func (t *Tx) SeeTags(ctx context.Context, productID string, before []string, known bool, now []string) (fresh bool,
	err error) {
	was := ""
	if known {
		was = tagsColumn(before)
	}
	n, err := t.q.exec(ctx, `UPDATE product_repositories SET tags = $3 WHERE id = $1 AND tags = $2`, productID, was,
		tagsColumn(now))
	return n == 1, wrap("record tags of product repository", err)
}

// ForgetTags clears a product repository's recorded tags. It is for repositories for which no automation waits for new
// tags.
func (t *Tx) ForgetTags(ctx context.Context, productID string) error {
	_, err := t.q.exec(ctx, `UPDATE product_repositories SET tags = '' WHERE id = $1`, productID)
	return wrap("clear tags of product repository", err)
}

// tagsColumn encodes tags for the database column. An empty list differs from unknown tags.
func tagsColumn(tags []string) string {
	if tags == nil {
		tags = []string{}
	}
	return asJSON(tags)
}
