package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// setDomains sets the domains of a project. Domains that the project already has keep their proof. Removed domains stay
// reserved for the organization. New domains either are held at once or wait for proof.
func (t *Tx) setDomains(ctx context.Context, p project.Project) error {
	before, err := t.ListProjectDomains(ctx, p.ID)
	if err != nil {
		return err
	}
	had := map[string]project.DomainState{}
	for _, d := range before {
		had[d.Name] = d.State
	}
	for i, name := range p.Domains {
		if err := t.placeDomain(ctx, p, name, i, had[name]); err != nil {
			return err
		}
		delete(had, name)
	}
	for _, d := range before {
		if _, given := had[d.Name]; given {
			if err := t.giveUpDomain(ctx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeDomain puts a domain at a position in the project's list. state is the current state of the domain in the
// project, or "" if the domain is new.
func (t *Tx) placeDomain(ctx context.Context, p project.Project, name string, position int,
	state project.DomainState) error {
	if state == project.DomainHeld {
		_, err := t.q.exec(ctx, `UPDATE project_domains SET position = $3 WHERE domain = $1 AND project_id = $2`, name,
			p.ID, position)
		return wrap("place domain", err)
	}
	proof, err := t.judgeDomain(ctx, p.OrganizationID, name)
	switch {
	case state == project.DomainPending && fault.HasCode(err, "domain_taken"): // the claim remains, without effect
	case err != nil:
		return err
	case proof != project.ProofNone:
		return t.takeDomain(ctx, p, name, position, proof)
	}
	if state == project.DomainPending {
		_, err := t.q.exec(ctx, `UPDATE domain_claims SET position = $3 WHERE domain = $1 AND project_id = $2`, name,
			p.ID, position)
		return wrap("place domain claim", err)
	}
	n,
		err := t.q.exec(ctx,
		`INSERT INTO domain_claims (organization_id, domain, project_id, position, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (organization_id, domain) DO NOTHING`, p.OrganizationID, name, p.ID, position, micros(t.now()))
	if err == nil && n == 0 { // another project of the same organization has a pending claim
		return domainTaken(name)
	}
	return wrap("claim domain", err)
}

// takeDomain gives a domain to a project without further proof. It does not if another project of the organization
// claims the domain, because that project would be left without a domain.
func (t *Tx) takeDomain(ctx context.Context, p project.Project, name string, position int,
	proof project.DomainProof) error {
	claims, err := single(ctx, t.q, value[int64],
		`SELECT COUNT(*) FROM domain_claims WHERE organization_id = $1 AND domain = $2 AND project_id <> $3`,
		p.OrganizationID, name, p.ID)
	if err != nil {
		return wrap("count domain claims", err)
	}
	if claims > 0 {
		return domainTaken(name)
	}
	return t.holdDomain(ctx, p.OrganizationID, p.ID, name, position, proof)
}

// domainTaken returns the same error for all unavailable domains. It reveals neither the owner nor whether the domain
// is held or reserved.
func domainTaken(name string) error {
	return fault.Newf(fault.Conflict, "domain_taken", "The domain %s belongs to another project.", name).
		WithField("domain")
}

// judgeDomain decides whether an organization may have a domain without further proof, and why. ProofNone means that
// the organization has to prove that the domain is its own. The error is domain_taken if another organization holds or
// has reserved the host or its nearest registered parent domain, because paths on one host never belong to two
// organizations.
func (t *Tx) judgeDomain(ctx context.Context, organizationID, name string) (project.DomainProof, error) {
	host := project.HostOf(name)
	hosts := append([]string{host}, t.s.domains.Parents(host)...)
	owners, err := t.findOwners(ctx, hosts)
	if err != nil {
		return project.ProofNone, err
	}
	for _, h := range hosts {
		for _, owner := range owners[h] {
			if owner.OrganizationID != organizationID || owner.Name == name && owner.State == project.DomainHeld {
				return project.ProofNone, domainTaken(name)
			}
		}
		switch owned := owners[h]; {
		case len(owned) == 0:
		case h == host: // a proof for a host is valid for all of its paths
			return owned[0].Proof, nil
		default:
			return project.ProofParent, nil
		}
	}
	if t.s.domains.IsOpen(host) {
		return project.ProofOpen, nil
	}
	others, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM organizations WHERE id <> $1`, organizationID)
	if err == nil && others == 0 {
		return project.ProofOnly, nil
	}
	return project.ProofNone, wrap("count organizations", err)
}

// findOwners returns, for each host, the held domains on it and below it, or its reservation if nothing is held. It
// uses a single statement, so that a name which is changing between held and reserved is seen in one of the two states.
func (t *Tx) findOwners(ctx context.Context, hosts []string) (map[string][]project.Domain, error) {
	marks, args := make([]string, len(hosts)), []any{micros(t.now())}
	for i, n := range hosts {
		marks[i] = fmt.Sprintf("$%d", i+2)
		args = append(args, n)
	}
	in := `IN (` + strings.Join(marks, ", ") + `)`
	list, err := collect(ctx, t.q, scanDomain, `SELECT `+heldColumns+` FROM project_domains m
		JOIN projects p ON p.id = m.project_id WHERE m.domain `+in+` OR m.path_host `+in+`
		UNION ALL SELECT `+reservedColumns+` FROM domain_reservations r WHERE r.expires_at > $1 AND r.domain `+in,
		args...)
	out, reserved := map[string][]project.Domain{}, []project.Domain{}
	for _, d := range list {
		if d.State == project.DomainReserved {
			reserved = append(reserved, d)
			continue
		}
		host := project.HostOf(d.Name)
		out[host] = append(out[host], d)
	}
	for _, d := range reserved {
		if len(out[d.Name]) == 0 {
			out[d.Name] = []project.Domain{d}
		}
	}
	return out, wrap("find domain owners", err)
}

// holdDomain gives a domain to a project. If several projects try to get it at the same time, only one succeeds. If
// several organizations try to get paths on one host, only one of them succeeds.
func (t *Tx) holdDomain(ctx context.Context, organizationID, projectID, name string, position int,
	proof project.DomainProof) error {
	host, path := project.SplitDomain(name)
	if err := t.lockHost(ctx, organizationID, host); err != nil {
		return err
	}
	pathHost := ""
	if path != "" {
		pathHost = host
	}
	n, err := t.q.exec(ctx,
		`INSERT INTO project_domains (domain, project_id, position, proof, proven_at, path_host)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (domain) DO NOTHING`,
		name, projectID, position, string(proof), micros(t.now()), pathHost)
	if err != nil {
		return wrap("store domain", err)
	}
	if n == 0 {
		return domainTaken(name)
	}
	if _, err := t.q.exec(ctx, `DELETE FROM domain_claims WHERE organization_id = $1 AND domain = $2`, organizationID,
		name); err != nil {
		return wrap("end domain claim", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM domain_reservations WHERE domain = $1`, host)
	return wrap("end domain reservation", err)
}

// lockHost serializes transactions that take names on a host. It fails if another organization has one of them. The
// lock is the row with the host's reservation. If there is none, lockHost inserts an expired reservation, which the
// caller deletes.
func (t *Tx) lockHost(ctx context.Context, organizationID, host string) error {
	if _, err := t.q.exec(ctx,
		`INSERT INTO domain_reservations (domain, organization_id, proof, created_at, expires_at) VALUES ($1, $2, '', 0, 0)
		ON CONFLICT (domain) DO UPDATE SET domain = excluded.domain`, host, organizationID); err != nil {
		return wrap("lock host", err)
	}
	owners, err := t.findOwners(ctx, []string{host})
	if err != nil {
		return err
	}
	for _, d := range owners[host] {
		if d.OrganizationID != organizationID {
			return domainTaken(host)
		}
	}
	return nil
}

// giveUpDomain takes a domain away from its project. The host of a held domain stays reserved for the organization,
// unless the organization still holds another domain on it.
func (t *Tx) giveUpDomain(ctx context.Context, d project.Domain) error {
	if d.State == project.DomainPending {
		_, err := t.q.exec(ctx, `DELETE FROM domain_claims WHERE organization_id = $1 AND domain = $2`,
			d.OrganizationID, d.Name)
		return wrap("end domain claim", err)
	}
	if _, err := t.q.exec(ctx, `DELETE FROM project_domains WHERE domain = $1 AND project_id = $2`, d.Name,
		d.ProjectID); err != nil {
		return wrap("give up domain", err)
	}
	if d.Proof == project.ProofParent { // the owner of the parent domain also owns this one
		return nil
	}
	d.Name = project.HostOf(d.Name)
	owners, err := t.findOwners(ctx, []string{d.Name})
	if err != nil || len(owners[d.Name]) > 0 && owners[d.Name][0].State == project.DomainHeld {
		return err
	}
	return t.reserveDomain(ctx, d)
}

// maxReservations limits how many names an organization may reserve, not counting those that the operator approved.
// Without a limit, an organization could block any number of names below open suffixes.
const maxReservations = 100

// reserveDomain reserves a host name for an organization for a limited time, and deletes expired reservations.
func (t *Tx) reserveDomain(ctx context.Context, d project.Domain) error {
	now := t.now()
	if _, err := t.q.exec(ctx, `DELETE FROM domain_reservations WHERE expires_at <= $1`, micros(now)); err != nil {
		return wrap("end domain reservations", err)
	}
	_,
		err := t.q.exec(ctx,
		`INSERT INTO domain_reservations (domain, organization_id, proof, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (domain) DO UPDATE SET organization_id = excluded.organization_id, proof = excluded.proof, `+
			`created_at = excluded.created_at, expires_at = excluded.expires_at`,
		d.Name, d.OrganizationID, string(d.Proof), micros(now), micros(now.Add(t.s.domains.ReserveFor())))
	if err != nil {
		return wrap("reserve domain", err)
	}
	_, err = t.q.exec(ctx,
		`DELETE FROM domain_reservations WHERE organization_id = $1 AND proof <> $2 AND domain NOT IN (
		SELECT domain FROM domain_reservations WHERE organization_id = $1 AND proof <> $2 ORDER BY created_at DESC, domain LIMIT $3)`,
		d.OrganizationID, string(project.ProofOperator), maxReservations)
	return wrap("end oldest domain reservations", err)
}
