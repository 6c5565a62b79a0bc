package adminapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
)

// Certificates provides the state of the TLS certificates for hosts. certificate.Manager and certificate.Files
// implement it.
type Certificates interface {
	State(ctx context.Context, host string) (certificate.State, error)
}

// getDomainCertificate returns the state of a domain's certificate and where its DNS name points. Someone whose site
// does not load needs to know both: most failed certificate orders are caused by a DNS record.
func (a *api) getDomainCertificate(c *call) (response, error) {
	d, err := a.findDomain(c)
	if err != nil {
		return response{}, err
	}
	host, path := project.SplitDomain(d.Name)
	location := domainproof.Location{Target: domainproof.Unknown}
	if a.Prover != nil {
		location = a.Prover.Locate(c.ctx(), host, a.ownHost)
	}
	state := certificate.State{Origin: certificate.FromProxy, Status: certificate.None}
	shared := path != "" && location.Target != domainproof.Here // another server serves the host and has its certificate
	if shared {
		location.Records = nil
	}
	if a.Certificates != nil && !shared {
		if state, err = a.Certificates.State(c.ctx(), host); err != nil {
			return response{}, err
		}
	}
	return response{status: http.StatusOK, body: client.DomainCertificate{Domain: d.Name,
		State: client.CertificateState(state.Status), Origin: client.CertificateOrigin(state.Origin), Names: orEmpty(state.Names),
		Issuer: orNull(state.Issuer), NotAfter: stampOrNull(state.NotAfter),
		LastError: orNull(state.Reason), NextTry: stampOrNull(state.Next), DNS: showLocation(location)}}, nil
}

func showLocation(l domainproof.Location) client.DomainLocation {
	out := client.DomainLocation{Target: client.DomainTarget(l.Target), Addresses: []string{}, Records: []client.AddressRecord{}}
	for _, addr := range l.Addresses {
		out.Addresses = append(out.Addresses, addr.String())
	}
	for _, r := range l.Records {
		out.Records = append(out.Records, client.AddressRecord{Type: client.AddressRecordType(r.Type), Name: r.Name, Value: r.Value})
	}
	return out
}
