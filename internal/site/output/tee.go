package output

import (
	"context"
	"slices"
)

type tee struct {
	sinks []Sink
	packs bool // one of them wants files packed
}

// Tee hands each file to every sink in turn and stops at the first error. It packs a file that nobody packed yet if a sink wants it:
// once for all of them.
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

// WantsPacked says whether one of the sinks does.
func (t tee) WantsPacked() bool { return t.packs }
