package cli

import (
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// fetchFlags contains the flags of commands that build without a server and may fetch API descriptions from other
// hosts.
type fetchFlags struct {
	Fetch        bool     `help:"Fetch API descriptions at web addresses; an unusable one is an error. Without this flag nothing is fetched, and each is a warning."`
	AllowAddress []string `name:"allow-address" placeholder:"HOST|CIDR" help:"With --fetch: non-public host or address to allow, such as 127.0.0.1."`
}

// fetcher returns nil if fetching is off.
func (f fetchFlags) fetcher() (openapi.Fetch, error) {
	if !f.Fetch {
		return nil, nil
	}
	guard, err := outbound.NewGuard(f.AllowAddress)
	if err != nil {
		return nil, badAllowed(err)
	}
	return guard.Getter(outbound.Limits{Retries: 2}), nil
}

func badAllowed(err error) error {
	return fault.New(fault.Invalid, "invalid_field",
		"--allow-address must be host names, addresses or CIDR ranges.").WithField("allow-address").WithCause(err)
}
