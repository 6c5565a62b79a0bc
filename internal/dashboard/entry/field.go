package entry

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// entryField is a field of a sign-in form, see the template of that name. Complete tells password managers what the
// field is for.
type entryField struct {
	ID, Name, Label string
	Kind            string // type of the input element
	Complete        string // value of the autocomplete attribute
	Value           string // never set for passwords
	Hint, Error     string
	Readonly        bool
	Optional        bool
	Digits          bool // show a numeric keyboard on phones
	Focus           bool // focus this field initially
}

// Described returns the ids of the elements that screen readers read with the label.
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

// currentPassword returns a field for the current password; form distinguishes several such fields on a page.
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
