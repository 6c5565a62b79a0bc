package outtree

import "context"

type tee []Sink

// Tee hands each file to every sink in turn and stops at the first error.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

func (t tee) Put(ctx context.Context, f File) error {
	for _, s := range t {
		if err := s.Put(ctx, f); err != nil {
			return err
		}
	}
	return nil
}
