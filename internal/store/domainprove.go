package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ProveDomain turns an organization's pending domain into a held domain. It uses the given proof, or one that needs no
// verification. If proof is ProofNone and no other proof exists, the domain stays pending. If several organizations
// prove a domain at the same time, one succeeds and the others get domain_taken. made reports whether this call changed
// the domain.
func (t *Tx) ProveDomain(ctx context.Context, organizationID, name string, proof project.DomainProof) (d project.Domain,
	made bool, err error) {
	// Serialize attempts by the same organization, so that a second attempt sees that the first one succeeded.
	if err := t.lockOrganization(ctx, organizationID); err != nil {
		return d, false, err
	}
	if d, err = t.FindDomain(ctx, organizationID, name); err != nil || d.State != project.DomainPending {
		return d, false, err
	}
	known, err := t.judgeDomain(ctx, organizationID, name)
	if err != nil {
		return d, false, err
	}
	if known != project.ProofNone {
		proof = known
	}
	if proof == project.ProofNone {
		return d, false, nil
	}
	d, err = t.promoteClaim(ctx, d, proof)
	return d, err == nil, err
}

// promoteClaim turns a claim into a held domain at the same position in its project.
func (t *Tx) promoteClaim(ctx context.Context, d project.Domain, proof project.DomainProof) (project.Domain, error) {
	position, err := single(ctx, t.q, value[int64],
		`SELECT position FROM domain_claims WHERE organization_id = $1 AND domain = $2`, d.OrganizationID, d.Name)
	if err != nil {
		return d, wrap("find domain claim", err)
	}
	if err := t.holdDomain(ctx, d.OrganizationID, d.ProjectID, d.Name, int(position), proof); err != nil {
		return d, err
	}
	return t.FindDomain(ctx, d.OrganizationID, d.Name)
}

// ApproveDomain gives a domain to an organization on the operator's authority. If the organization has no claim on the
// domain yet, the host is reserved for it and needs no proof when the organization claims it. If the host belongs to
// another organization, it must be released first.
func (t *Tx) ApproveDomain(ctx context.Context, organizationID, name string) (project.Domain, error) {
	host := project.HostOf(name)
	owners, err := t.findOwners(ctx, []string{host})
	if err != nil {
		return project.Domain{}, err
	}
	for _, owner := range owners[host] {
		if owner.OrganizationID != organizationID || owner.Name == name && owner.State == project.DomainHeld {
			return owner, fault.Newf(fault.Conflict, "domain_taken", "The domain %s is %s for the organization %s.",
				owner.Name, owner.State, owner.OrganizationID).
				WithHint("If that is wrong, release it first: lectern org domains release " + host + ".")
		}
	}
	d, err := t.FindDomain(ctx, organizationID, name)
	if err == nil && d.State == project.DomainPending {
		return t.promoteClaim(ctx, d, project.ProofOperator)
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return d, err
	}
	if err := t.reserveDomain(ctx,
		project.Domain{Name: host, OrganizationID: organizationID, Proof: project.ProofOperator}); err != nil {
		return d, err
	}
	return t.FindDomain(ctx, organizationID, host)
}

// ReleaseDomain takes a host and all its paths away from the organization that holds or has reserved them. It returns
// the previous state of the named domain, or of the first one on the host. Projects that held a domain keep it as a
// pending claim.
func (t *Tx) ReleaseDomain(ctx context.Context, name string) (project.Domain, error) {
	host := project.HostOf(name)
	owners, err := t.findOwners(ctx, []string{host})
	if err != nil {
		return project.Domain{}, err
	}
	owned := owners[host]
	if len(owned) == 0 {
		return project.Domain{}, fault.Newf(fault.NotFound, "unknown_domain",
			"No organization holds or has reserved the domain %s.", name)
	}
	was := owned[0]
	for _, d := range owned {
		if d.Name == name {
			was = d
		}
		if d.State != project.DomainHeld {
			continue
		}
		if err := t.releaseHeld(ctx, d); err != nil {
			return d, err
		}
	}
	_, err = t.q.exec(ctx, `DELETE FROM domain_reservations WHERE domain = $1`, host)
	return was, wrap("release domain", err)
}

// releaseHeld turns a held domain into a pending one.
func (t *Tx) releaseHeld(ctx context.Context, d project.Domain) error {
	position, err := single(ctx, t.q, value[int64], `SELECT position FROM project_domains WHERE domain = $1`, d.Name)
	if errors.Is(err, errNone) {
		return fault.New(fault.Conflict, "busy", "The domain was changed at the same time. Try again.")
	}
	if err != nil {
		return wrap("find domain", err)
	}
	if _, err := t.q.exec(ctx,
		`INSERT INTO domain_claims (organization_id, domain, project_id, position, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (organization_id, domain) DO NOTHING`, d.OrganizationID, d.Name, d.ProjectID, position,
		micros(t.now())); err != nil {
		return wrap("claim domain", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM project_domains WHERE domain = $1`, d.Name)
	return wrap("release domain", err)
}
