package entry

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// entryField is a field of a form about signing in, see the template of that name. Password managers find out what it
// is for by Complete.
type entryField struct {
	ID, Name, Label string
	Kind            string // of the input element
	Complete        string // what browsers and password managers may fill in
	Value           string // never of a password
	Hint, Error     string
	Readonly        bool
	Optional        bool
	Digits          bool // phones show a keyboard of digits
	Focus           bool // where typing begins
}

// Described names what screen readers say beside the label.
func (f entryField) Described() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.ID+"-hint")
	}
	if f.Error != "" {
		ids = append(ids, f.ID+"-error")
	}
	return strings.Join(ids, " ")
}

func emailField(value string, fixed bool, pageErr *shell.PageError) entryField {
	return entryField{ID: "email", Name: "email", Label: "E-mail address", Kind: "email", Complete: "username",
		Value: value, Readonly: fixed, Focus: value == "", Error: pageErr.FieldError("email")}
}

func nameField(value string, pageErr *shell.PageError) entryField {
	return entryField{ID: "name", Name: "name", Label: "Your name", Kind: "text", Complete: "name", Value: value,
		Optional: true,
		Hint:     "Shown to others. Optional.", Error: pageErr.FieldError("name")}
}

// currentPassword asks for the current password; form distinguishes several such fields on a page.
func currentPassword(form, name, label string, pageErr *shell.PageError) entryField {
	return entryField{ID: form + name, Name: name, Label: label, Kind: "password", Complete: "current-password",
		Error: pageErr.FieldError(name)}
}

func newPassword(label string, pageErr *shell.PageError) entryField {
	return entryField{ID: "new-password", Name: "password", Label: label, Kind: "password", Complete: "new-password",
		Hint: fmt.Sprintf("At least %d characters. A few unrelated words are easy to remember and hard to guess.",
			account.MinPassword),
		Error: pageErr.FieldError("password")}
}

func codeField(hint string, pageErr *shell.PageError) entryField {
	return entryField{ID: "code", Name: "code", Label: "Code", Kind: "text", Complete: "one-time-code", Hint: hint,
		Error: pageErr.FieldError("code"), Focus: true}
}
