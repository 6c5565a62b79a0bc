package output

import (
	"context"
	"slices"
)

type tee struct {
	sinks []Sink
	packs bool // at least one of the sinks needs packed files
}

// Tee returns a Sink that passes each file to every sink in turn and stops at the first error. If at least one sink
// needs packed files, an unpacked file is packed once for all of them.
func Tee(sinks ...Sink) Sink { return tee{sinks, slices.ContainsFunc(sinks, WantsPacked)} }

func (t tee) Put(ctx context.Context, f File) error {
	if f.Packed == nil && t.packs {
		f.Packed = Pack(f.Data, f.ContentType)
	}
	for _, s := range t.sinks {
		if err := s.Put(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// WantsPacked reports whether one of the sinks needs packed files.
func (t tee) WantsPacked() bool { return t.packs }
