package bundlestore

import "errors"

// unwanted marks a rejection based on the content: the complete archive was read, and it has another version or
// another signer. All other rejections, such as a wrong digest or a truncated archive, may be transfer errors, and a
// retry may succeed.
type unwanted struct{ err error }

func (u *unwanted) Error() string { return u.err.Error() }
func (u *unwanted) Unwrap() error { return u.err }

// refusal remembers an unwanted bundle. A server whose pin is not met retries repeatedly; it downloads such a bundle
// only once.
type refusal struct {
	receipt
	want Expect
	err  error
}

// of returns the refusal if it applies to this source and these expectations, or nil.
func (r *refusal) of(src Source, want Expect) *refusal {
	if r == nil || r.Source != src.Name() || r.want.Version != want.Version || r.want.SHA256 != want.SHA256 ||
		!r.want.PublicKey.Equal(want.PublicKey) ||
		r.want.MaxBytes != want.MaxBytes || r.want.Limits != want.Limits {
		return nil
	}
	return r
}

// refuse remembers an unwanted bundle that has a tag, and returns err.
func (v *Volume) refuse(r receipt, want Expect, err error) error {
	var u *unwanted
	if r.Tag != "" && errors.As(err, &u) {
		v.no = &refusal{r, want, err}
	}
	return err
}
