package daemon

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// newGuard makes what every connection passes that goes where an author or a caller said: Git, API descriptions, code
// hosts, and what the agent's programs open. An air-gapped server reaches hosts on the operator's list and no others,
// and looks no other name up (F7).
func newGuard(s config.Server) (*outbound.Guard, error) {
	guard, err := outbound.NewGuard(s.AllowAddress)
	if err != nil {
		return nil, fmt.Errorf("read allow-address: %w", err)
	}
	if feature.Type(s.DeploymentType) == feature.AirGapped {
		guard = guard.Closed()
	}
	return guard, nil
}

// prover checks whether domains are proven. It asks the operator's name server, if there is one.
func prover(s config.Server, guard *outbound.Guard) *domainproof.Checker {
	if s.DomainsResolver != "" {
		guard = guard.AskingAt(s.DomainsResolver)
	}
	return domainproof.New(guard)
}
