package bundlestore

import "github.com/lectern-docs/lectern/internal/fault"

// refusal is a bundle that was refused. A server whose pin is not met asks again and again; it downloads such a bundle once.
type refusal struct {
	fetched
	want Expect
	err  error
}

// of returns the refusal if it was of this source, for the same reason to refuse; nil otherwise.
func (r *refusal) of(src Source, want Expect) *refusal {
	if r == nil || r.Source != src.Name() || r.want.Version != want.Version || r.want.SHA256 != want.SHA256 || !r.want.PublicKey.Equal(want.PublicKey) ||
		r.want.MaxBytes != want.MaxBytes || r.want.Limits != want.Limits {
		return nil
	}
	return r
}

// refuse remembers a refused bundle that can be told from others, and passes the error on.
func (v *Volume) refuse(f fetched, want Expect, err error) error {
	if f.Tag != "" && fault.HasCode(err, CodeRefused) {
		v.no = &refusal{f, want, err}
	}
	return err
}
