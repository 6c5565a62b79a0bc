package daemon

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// newGuard returns the guard for all connections to addresses chosen by authors or callers: Git, API descriptions,
// code hosts, and connections of the agent's programs. An air-gapped server can reach only hosts on the operator's
// list, and resolves no other names (F7).
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

// prover checks whether domains are proven. It uses the operator's name server, if one is set.
func prover(s config.Server, guard *outbound.Guard) *domainproof.Checker {
	if s.DomainsResolver != "" {
		guard = guard.AskingAt(s.DomainsResolver)
	}
	return domainproof.New(guard)
}
