package daemon

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
)

const (
	// fetchLife is the required remaining lifetime of an App's token for a fetch.
	fetchLife = 10 * time.Minute
	// pushLife is the required remaining lifetime of a token with which a job pushes at its end. Tokens are valid for
	// an hour; a round that takes longer requests another token before it pushes.
	pushLife = 50 * time.Minute
)

// appCredential returns a GitHub App's git credential for one repository, either for reading only or also for pushing.
func (c *core) appCredential(ctx context.Context, app forge.App, repository string, use forge.Use) (*git.Credential,
	error) {
	token, err := forge.GitToken(ctx, c.agents.tokens, app, c.agents.servers, repository, use)
	if err != nil {
		return nil, err
	}
	return &git.Credential{User: forge.GitUser, Password: token}, nil
}
