package devserve

import (
	"context"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// sink stores a small tree in memory.
type sink map[string]string

func (s sink) Put(_ context.Context, f output.File) error {
	s[f.Path] = string(f.Data)
	return nil
}
