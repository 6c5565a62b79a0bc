package bundlestore

import "errors"

// unwanted marks a refusal about what a bundle is: its archive was read to its end, and another version or another
// signer is wanted. All other refusals, such as a wrong digest or an archive that ends early, may be a failure of the
// transfer, and the next one may succeed.
type unwanted struct{ err error }

func (u *unwanted) Error() string { return u.err.Error() }
func (u *unwanted) Unwrap() error { return u.err }

// refusal is an unwanted bundle. A server whose pin is not met asks again and again; it downloads such a bundle once.
type refusal struct {
	receipt
	want Expect
	err  error
}

// of returns the refusal if it was of this source, for the same reason to refuse; nil otherwise.
func (r *refusal) of(src Source, want Expect) *refusal {
	if r == nil || r.Source != src.Name() || r.want.Version != want.Version || r.want.SHA256 != want.SHA256 ||
		!r.want.PublicKey.Equal(want.PublicKey) ||
		r.want.MaxBytes != want.MaxBytes || r.want.Limits != want.Limits {
		return nil
	}
	return r
}

// refuse remembers an unwanted bundle that can be identified, and returns the error.
func (v *Volume) refuse(r receipt, want Expect, err error) error {
	var u *unwanted
	if r.Tag != "" && errors.As(err, &u) {
		v.no = &refusal{r, want, err}
	}
	return err
}
