package daemon

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
)

const (
	// fetchLife is how long an App's token must work to end a fetch with.
	fetchLife = 10 * time.Minute
	// pushLife is how long one must work to be pushed with at a job's end. Tokens live for an hour; a round that takes
	// longer asks for another before it pushes.
	pushLife = 50 * time.Minute
)

// appCredential returns a GitHub App's way into one repository, for git: to read it, or to push to it as well.
func (c *core) appCredential(ctx context.Context, app forge.App, repository string, use forge.Use) (*git.Credential,
	error) {
	token, err := forge.GitToken(ctx, c.agents.tokens, app, c.agents.servers, repository, use)
	if err != nil {
		return nil, err
	}
	return &git.Credential{User: forge.GitUser, Password: token}, nil
}
