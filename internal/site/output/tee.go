package output

import (
	"context"
	"slices"
)

type tee struct {
	sinks []Sink
	packs bool // one of them wants files packed
}

// Tee passes each file to every sink in turn and stops at the first error. If a sink wants packed files, it packs an
// unpacked file once for all of them.
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

// WantsPacked reports whether one of the sinks wants packed files.
func (t tee) WantsPacked() bool { return t.packs }
