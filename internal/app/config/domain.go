package config

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

// DomainPolicy returns the policy that decides which domains must be proven.
func (s *Server) DomainPolicy() project.DomainPolicy {
	policy := project.DomainPolicy{Reserve: s.DomainsReserve}
	for _, suffix := range s.DomainsOpen {
		policy.Open = append(policy.Open, strings.ToLower(suffix)) // domains are stored in lower case
	}
	return policy
}

func (s *Server) checkDomains() error {
	for _, suffix := range s.DomainsOpen {
		if !hostName.MatchString(suffix) || len(suffix) > 200 {
			return find("domains.open").bad("%q is not a host name.", suffix)
		}
		if !strings.EqualFold(suffix, "localhost") && s.PublicURL == "" {
			return find("domains.open").
				bad("%s requires public-url; otherwise an organization could claim the server's own host name.", suffix)
		}
	}
	if s.DomainsResolver == "" {
		return nil
	}
	return checkListen("domains.resolver", s.DomainsResolver)
}
