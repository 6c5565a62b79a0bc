package adminapi

import (
	"context"
	"maps"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/store"
)

// Prover checks whether a domain's records contain one of an organization's challenges, and where the domain points.
// domainproof.Checker implements it.
type Prover interface {
	Check(ctx context.Context, domain string, challenges []project.Challenge) (project.DomainProof, error)
	Locate(ctx context.Context, domain, own string) domainproof.Location
}

// checksAnHour is the number of domain checks per hour for an organization; each check sends requests to hosts that
// the caller names.
const checksAnHour = 120

func (a *api) showDomain(d project.Domain) client.Domain {
	out := client.Domain{Domain: d.Name, State: string(d.State), ProjectID: orNull(d.ProjectID),
		Proof: orNull(string(d.Proof)), ReservedUntil: stampOrNull(d.Until)}
	switch {
	case d.State == project.DomainPending:
		c := project.NewChallenge(a.Masters[0], d.OrganizationID, d.Name)
		out.Challenge = &client.DomainChallenge{DNS: client.DomainRecord{Name: c.Record, Type: "TXT", Value: c.Value},
			File: client.DomainFile{URL: "http://" + project.HostOf(d.Name) + c.Path, Content: c.Value}}
	case d.State == project.DomainHeld && d.Since.Unix() > 0: // older releases did not store the time
		out.ProvenAt = stampOrNull(&d.Since)
	}
	return out
}

// showDomains converts domains to the API's form.
func (a *api) showDomains(list []project.Domain) []client.Domain {
	out := []client.Domain{}
	for _, d := range list {
		out = append(out, a.showDomain(d))
	}
	return out
}

func (a *api) listDomains(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListDomains(c.ctx(), c.org(), p)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK,
		body: client.DomainList{Domains: a.showDomains(list), NextCursor: orNull(next)}}, nil
}

// verifyDomain looks for the proof of a pending domain and, if it finds one, assigns the domain to the organization.
func (a *api) verifyDomain(c *call) (response, error) {
	d, err := a.findDomain(c)
	if err != nil {
		return response{}, err
	}
	if d.State == project.DomainPending {
		if _, err := a.cleanDomain(c, d.Name, "domain"); err != nil { // the server's own names may have changed
			return response{}, err
		}
		if d, err = a.proveDomain(c, d); err != nil {
			return response{}, err
		}
	}
	return response{status: http.StatusOK, body: a.showDomain(d)}, nil
}

// findDomain returns the domain in the path, if it belongs to the organization.
func (a *api) findDomain(c *call) (project.Domain, error) {
	name, err := project.CleanDomain(c.r.PathValue("domain"))
	if err != nil {
		return project.Domain{}, unknownDomain()
	}
	d, err := a.Store.FindDomain(c.ctx(), c.org(), name)
	if fault.Is(err, fault.NotFound) {
		err = unknownDomain()
	}
	return d, err
}

// proveDomain first checks whether the domain is available without a proof: the organization may have become the only
// claimant, or have proven the parent domain.
func (a *api) proveDomain(c *call, d project.Domain) (project.Domain, error) {
	d, err := a.storeProof(c, d.Name, project.ProofNone)
	if err != nil || d.State != project.DomainPending {
		return d, err
	}
	if a.Prover == nil {
		return d, fault.New(fault.Conflict, "domain_not_proven", "This server cannot verify domains automatically.").
			WithField("domain").
			WithHint("Ask the server's operator to approve the domain.")
	}
	limit := http.Header{} // the response headers describe the key's own limit unless this one is exceeded
	if err := a.domainChecks.Take(c.ctx(), c.org(), limit); err != nil {
		maps.Copy(c.w.Header(), limit)
		return d, err
	}
	var challenges []project.Challenge
	for _, master := range a.Masters {
		challenges = append(challenges, project.NewChallenge(master, d.OrganizationID, d.Name))
	}
	proof, err := a.Prover.Check(c.ctx(), project.HostOf(d.Name), challenges)
	if err != nil {
		return d, err
	}
	return a.storeProof(c, d.Name, proof)
}

// storeProof marks the domain as held, if the proof or the rules permit that, and records it.
func (a *api) storeProof(c *call, name string, proof project.DomainProof) (d project.Domain, err error) {
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if d, err = tx.FindDomain(c.ctx(), c.org(), name); err != nil {
			return err
		}
		before, err := tx.FindBasePath(c.ctx(), d.ProjectID)
		if err != nil {
			return err
		}
		var made bool
		if d, made, err = tx.ProveDomain(c.ctx(), c.org(), name, proof); err != nil || !made {
			return err
		}
		if err := tx.Record(c.ctx(), a.event(c, "domain.prove", d.Name,
			map[string]string{"project": d.ProjectID, "proof": string(d.Proof)})); err != nil {
			return err
		}
		return a.republishMoved(c, tx, d.ProjectID, before)
	})
	return d, err
}

// republishMoved queues a deployment of a project whose site has moved to another path, because the links on its pages
// start with the old path.
func (a *api) republishMoved(c *call, tx *store.Tx, projectID, before string) error {
	now, err := tx.FindBasePath(c.ctx(), projectID)
	if err != nil || now == before {
		return err
	}
	p, err := tx.FindProject(c.ctx(), c.org(), projectID)
	if err != nil {
		return err
	}
	_, err = a.queueDeployment(c, tx, p, deploy.Production, "", "api")
	return err
}

// unknownDomain returns the error for a domain that the organization does not have, whether or not another
// organization has it.
func unknownDomain() error {
	return fault.New(fault.NotFound, "unknown_domain", "The organization does not have this domain.").
		WithField("domain").WithHint("GET /v1/domains lists the organization's domains.")
}
