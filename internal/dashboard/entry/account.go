package entry

import (
	"html/template"
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// accountPage is the data of the signed-in user's account page.
type accountPage struct {
	FormError *shell.PageError // error of the submitted form; nil = none
	At        string           // the submitted form
	Person    account.Person
	Provider  bool // whether they can sign in with an identity provider
	Name      entryField
	Current   entryField // of the password form
	Password  entryField
	Sessions  []sessionRow
	Setup     *setupForm // a second factor being set up; nil = none
	Off       entryField
	Codes     entryField
	Recovery  []string // new recovery codes, shown only once
	Where     []account.Membership
}

// HasPassword reports whether the account has a password.
func (p accountPage) HasPassword() bool { return p.Person.PasswordHash != "" }

// Left returns the number of remaining recovery codes.
func (p accountPage) Left() int { return len(p.Person.Recovery) }

// sessionRow is a session in the list.
type sessionRow struct {
	account.Session
	Browser string
	Current bool
}

// setupForm shows a second factor that is not turned on yet.
type setupForm struct {
	signin.Setup
	Picture        template.HTML
	Link           template.URL
	Code, Password entryField
}

func showAccount(b *shell.Board, v *shell.Visit) error {
	return renderAccount(v, http.StatusOK, accountPage{})
}

// renderAccount completes and shows the page; fields that are already set are kept.
func renderAccount(v *shell.Visit, status int, page accountPage) error {
	list, err := v.B.SignIn.Sessions(v.Ctx(), v.Visit)
	if err != nil {
		return err
	}
	for _, s := range list {
		page.Sessions = append(page.Sessions,
			sessionRow{Session: s, Browser: browserName(s.Agent), Current: s.ID == v.Session.ID})
	}
	at := func(form string) *shell.PageError {
		if page.At == form {
			return page.FormError
		}
		return nil
	}
	page.Person, page.Provider, page.Where = v.Person, v.Person.Issuer != "", v.Memberships
	page.Name = nameField(v.Person.Name, at("name"))
	if page.At == "name" {
		page.Name.Value = v.Field("name")
	}
	page.Current, page.Password = currentPassword("password-", "current", "Current password", at("password")),
		newPassword("New password", at("password"))
	page.Off, page.Codes = currentPassword("off-", "current", "Your password", at("off")),
		currentPassword("codes-", "current", "Your password", at("codes"))
	return v.Show(status, "account", shell.Frame{Title: "Your account", Section: "account"}, page)
}

// accountAgain shows the page again with the error of one of its forms.
func accountAgain(v *shell.Visit, err error, form string) error {
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	return renderAccount(v, pageErr.Status, accountPage{FormError: pageErr, At: form})
}

func renamePerson(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.Rename(v.Ctx(), v.Visit, v.Field("name"), browser(v)); err != nil {
		return accountAgain(v, err, "name")
	}
	return v.Done("/dashboard/account", "name-saved")
}

func changePassword(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	token, err := b.SignIn.ChangePassword(v.Ctx(), v.Visit, v.Form.Get("current"), v.Form.Get("password"), browser(v))
	if err != nil {
		return accountAgain(v, err, "password")
	}
	b.SignIn.SetCookie(v.W, v.R, token)
	return v.Done("/dashboard/account", "password-changed")
}

func endSession(b *shell.Board, v *shell.Visit) error {
	id := v.Field("session")
	if err := b.SignIn.EndSession(v.Ctx(), v.Visit, id, browser(v)); err != nil {
		return accountAgain(v, err, "sessions")
	}
	if id == v.Session.ID {
		b.SignIn.ClearCookie(v.W, v.R)
		return v.Done("/dashboard/sign-in", "signed-out")
	}
	return v.Done("/dashboard/account", "session-ended")
}

func endOtherSessions(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.EndOthers(v.Ctx(), v.Visit, browser(v)); err != nil {
		return accountAgain(v, err, "sessions")
	}
	return v.Done("/dashboard/account", "sessions-ended")
}
