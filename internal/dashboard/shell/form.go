package shell

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// The field csrf of a form consists of the session's form token, a dot, and the organization that the page is about.

// csrf returns the value of that field for a visit's pages.
func (v *Visit) csrf() string {
	if v.Membership == nil {
		return v.FormToken()
	}
	return v.FormToken() + "." + v.Membership.Organization.ID
}

// OwnForm reports whether the submitted form is from a page of the visit's session.
func (v *Visit) OwnForm() bool {
	token, _, _ := strings.Cut(v.Form.Get("csrf"), ".")
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.FormToken())) == 1
}

// checkForm rejects forms that another site could have created. It also rejects a form if its page is about an
// organization other than the user's current one, because the change would be made in the wrong organization. This
// happens after the user switches to another organization in another window.
func (v *Visit) checkForm() error {
	if !v.OwnForm() {
		return StaleForm()
	}
	_, about, found := strings.Cut(v.Form.Get("csrf"), ".")
	if found && v.route.Role != AnyRole && v.Membership != nil && about != v.Membership.Organization.ID {
		return fault.Newf(fault.Conflict, "other_organization",
			"Nothing was done: the form belongs to another organization, and you have switched to %s.",
			v.Membership.Organization.Name).WithHint("Switch back to the right organization, then send the form again.")
	}
	return nil
}

func StaleForm() error {
	return fault.New(fault.Forbidden, "stale_form", "This form belongs to an earlier session.").
		WithHint("Go back, reload the page and send it again.")
}

// unreadable returns the fault for a form that cannot be parsed.
func unreadable(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.Newf(fault.TooLarge, "form_too_large", "The form is too large: the limit is %s.",
			size(large.Limit)).
			WithHint("Go back and shorten it; your input is still there.").WithCause(err)
	}
	return fault.New(fault.Invalid, "unreadable_form", "The form could not be read.").WithCause(err)
}
