package rest

import (
	"context"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// NoRelease returns the fault for a tag without a release in an existing repository.
func NoRelease() error {
	return fault.New(fault.NotFound, "unknown_release", "Release not found.")
}

// Release requests a tag's release and decodes it into out; answered returns the tag in the response.
func (c *Client) Release(ctx context.Context, at, repo, tag string, out any, answered func() string) error {
	return c.within(ctx, at, repo, out, func() bool { return answered() == tag }, NoRelease())
}
