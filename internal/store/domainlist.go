package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Columns that scanDomain reads, one list for each of the three tables.
const (
	heldColumns = `m.domain AS domain, p.organization_id AS organization_id, p.id AS project_id, ` +
		`'held' AS state, m.proof AS proof, m.proven_at AS since, 0 AS ends, m.position AS position`
	claimedColumns  = `c.domain, c.organization_id, c.project_id, 'pending', '', c.created_at, 0, c.position`
	reservedColumns = `r.domain, r.organization_id, '', 'reserved', r.proof, r.created_at, r.expires_at, 0`
)

func scanDomain(s scanner) (project.Domain, error) {
	var d project.Domain
	var since, until, position int64
	err := s.Scan(&d.Name, &d.OrganizationID, &d.ProjectID, &d.State, &d.Proof, &since, &until, &position)
	d.Since = fromMicros(since)
	if d.State == project.DomainReserved {
		at := fromMicros(until)
		d.Until = &at
	}
	return d, err
}

// allDomains is a table of all claims of all organizations. Its first parameter is the current time. It omits a claim
// on a domain that the same project already holds; earlier releases could leave such claims behind.
const allDomains = `(SELECT ` + heldColumns + ` FROM project_domains m JOIN projects p ON p.id = m.project_id
	UNION ALL SELECT ` + claimedColumns + ` FROM domain_claims c WHERE NOT EXISTS (SELECT 1 ` +
	`FROM project_domains h WHERE h.domain = c.domain AND h.project_id = c.project_id)
	UNION ALL SELECT ` + reservedColumns + ` FROM domain_reservations r WHERE r.expires_at > $1) d`

const domainColumns = `d.domain, d.organization_id, d.project_id, d.state, d.proof, d.since, d.ends, d.position`

// ListDomains returns a page of an organization's domains, newest first, and the cursor of the next page, or "" if
// there is none.
func (r reads) ListDomains(ctx context.Context, organizationID string, pg Page) ([]project.Domain, string, error) {
	at, after, err := pg.placeOf(nameLetters, project.MaxDomainBytes)
	if err != nil {
		return nil, "", err
	}
	within, args := pg.within("d.project_id", micros(r.now()), organizationID, at, after, pg.Limit+1)
	list, err := collect(ctx, r.q, scanDomain,
		`SELECT `+domainColumns+` FROM `+allDomains+` WHERE d.organization_id = $2 AND (d.since, d.domain) < ($3, $4)`+
			within+` ORDER BY d.since DESC, d.domain DESC LIMIT $5`, args...)
	if err != nil {
		return nil, "", wrap("list domains", err)
	}
	list, next := cut(list, pg.Limit, func(d project.Domain) (int64, string) { return micros(d.Since), d.Name })
	return list, next, nil
}

// ListAllDomains returns the domains of all organizations ordered by name, for the operator.
func (r reads) ListAllDomains(ctx context.Context) ([]project.Domain, error) {
	list, err := collect(ctx, r.q, scanDomain,
		`SELECT `+domainColumns+` FROM `+allDomains+` ORDER BY d.domain, d.since`, micros(r.now()))
	return list, wrap("list domains", err)
}

// FindDomain returns an organization's claim on a domain. Domains of other organizations are reported as not found
// (A8).
func (r reads) FindDomain(ctx context.Context, organizationID, name string) (project.Domain, error) {
	d, err := single(ctx, r.q, scanDomain,
		`SELECT `+domainColumns+` FROM `+allDomains+` WHERE d.organization_id = $2 AND d.domain = $3 ORDER BY d.state`,
		micros(r.now()), organizationID, name)
	if errors.Is(err, errNone) {
		return d, fault.New(fault.NotFound, "unknown_domain", "The organization does not have this domain.").
			WithField("domain")
	}
	return d, wrap("find domain", err)
}

// FindBasePath returns the path below which a project's site is served, such as /docs; "" means that the site has a
// whole host.
func (r reads) FindBasePath(ctx context.Context, projectID string) (string, error) {
	list, err := r.ListProjectDomains(ctx, projectID)
	return project.PathOf(project.Address(list)), err
}

// ListProjectDomains returns the held and pending domains of projects, in their order.
func (r reads) ListProjectDomains(ctx context.Context, projectIDs ...string) ([]project.Domain, error) {
	marks, args := make([]string, len(projectIDs)), []any{micros(r.now())}
	for i, p := range projectIDs {
		marks[i] = fmt.Sprintf("$%d", i+2)
		args = append(args, p)
	}
	list, err := collect(ctx, r.q, scanDomain, `SELECT `+domainColumns+` FROM `+allDomains+` WHERE d.project_id IN (`+
		strings.Join(marks, ", ")+`) ORDER BY d.position`, args...)
	return list, wrap("find domains", err)
}
