package exportjob

import (
	"context"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// gauge counts the uncompressed bytes written to the bundles, and stops at the limit.
type gauge struct {
	to     output.Sink
	limits export.Limits
	bytes  int64
}

// Put counts the bytes of f and passes it on.
func (g *gauge) Put(ctx context.Context, f output.File) error {
	if f.Packed != nil {
		g.bytes += f.Packed.Size
	} else {
		g.bytes += int64(len(f.Data))
	}
	if g.limits.MaxBytes > 0 && g.bytes > g.limits.MaxBytes {
		return g.limits.TooLarge()
	}
	return g.to.Put(ctx, f)
}

// WantsPacked reports whether the bundles want compressed files.
func (g *gauge) WantsPacked() bool { return output.WantsPacked(g.to) }
