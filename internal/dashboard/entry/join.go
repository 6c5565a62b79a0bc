package entry

import (
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// joinPage is the page for the holder of an invitation link.
type joinPage struct {
	signin.Invitation
	FormError *shell.PageError
	Token     string
	Me        string // address signed in in this browser; "" = none
	Email     entryField
	Name      entryField
	Password  entryField
	SignIn    string // URL to sign in first and return here
	Provider  string // name of the identity provider; "" = none
	Through   string // URL to sign in with the provider and return here
}

// Mine reports whether the signed-in user can use the link: it is for them, or for anyone.
func (p joinPage) Mine() bool {
	return p.Me != "" && (p.Invitation.Email == "" || p.Invitation.Email == p.Me)
}

// linkToken returns the secret of the link, from the URL or the form.
func linkToken(v *shell.Visit) string {
	if t := v.Form.Get("token"); t != "" {
		return t
	}
	return v.Query("token")
}

func showJoin(b *shell.Board, v *shell.Visit) error { return askJoin(v, nil) }

// askJoin shows the form of an invitation link; pageErr is the error of the last attempt, or nil.
func askJoin(v *shell.Visit, pageErr *shell.PageError) error {
	if err := v.B.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	token := linkToken(v)
	i, err := v.B.SignIn.Invited(v.Ctx(), token)
	if err == nil && i.Kind != account.InviteJoin {
		err = account.UnknownInvitation()
	}
	if err != nil {
		return err
	}
	if err := findVisitor(v); err != nil {
		return err
	}
	email := i.Email
	if email == "" {
		email = v.Field("email")
	}
	page := joinPage{Invitation: i, FormError: pageErr, Token: token, Me: v.Person.Email,
		Email: emailField(email, i.Email != "", pageErr), Name: nameField(v.Field("name"), pageErr),
		Password: newPassword("Choose a password", pageErr), SignIn: "/dashboard/sign-in?" + nextTo(account.JoinPath, token)}
	if p := v.B.SignIn.IDP; p != nil && i.Email != "" {
		start, _ := idpPaths(v.B)
		page.Provider, page.Through = p.Name, start+"?"+nextTo(account.JoinPath, token)
	}
	if i.HasAccount {
		page.Password = currentPassword("", "password", "Your password", pageErr)
	}
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	return v.Show(status, "join", shell.Frame{Title: "Join " + i.Organization.Name, Narrow: true}, page)
}

func join(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	if err := findVisitor(v); err != nil {
		return err
	}
	if err := checkForm(v); err != nil {
		return err
	}
	in, err := b.SignIn.Join(v.Ctx(), linkToken(v),
		signin.Joining{Email: v.Field("email"), Name: v.Field("name"), Password: v.Form.Get("password"),
			Visit: v.Visit, Browser: browser(v)})
	if fault.HasCode(err, "unknown_invitation") {
		return err
	}
	if err != nil {
		return again(v, err, func(pageErr *shell.PageError) error { return askJoin(v, pageErr) })
	}
	b.SignIn.LetIn(v.W, v.R, in)
	return v.Done(shell.Path, "joined")
}

// checkForm rejects forms on public routes if someone is signed in and the form is not from their session, because it
// could act on their behalf.
func checkForm(v *shell.Visit) error {
	if v.Person.ID == "" || v.OwnForm() {
		return nil
	}
	return shell.StaleForm()
}

// nextTo returns the query parameter that takes a user back to a link after the sign-in.
func nextTo(path, token string) string {
	return url.Values{"next": {path + "?token=" + url.QueryEscape(token)}}.Encode()
}

// passwordPage is the page for the holder of a link for a new password.
type passwordPage struct {
	signin.Invitation
	FormError *shell.PageError
	Token     string
	Email     entryField
	Password  entryField
}

func showNewPassword(b *shell.Board, v *shell.Visit) error { return askNewPassword(v, nil) }

func askNewPassword(v *shell.Visit, pageErr *shell.PageError) error {
	if err := v.B.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	token := linkToken(v)
	i, err := v.B.SignIn.Invited(v.Ctx(), token)
	if err == nil && (i.Kind != account.InvitePassword || !i.HasAccount) {
		err = account.UnknownInvitation()
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	return v.Show(status, "newpassword", shell.Frame{Title: "Choose a new password", Narrow: true},
		passwordPage{Invitation: i, FormError: pageErr, Token: token, Email: emailField(i.Email, true, nil),
			Password: newPassword("New password", pageErr)})
}

func setNewPassword(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	in, err := b.SignIn.NewPassword(v.Ctx(), linkToken(v), v.Form.Get("password"), browser(v))
	if fault.HasCode(err, "unknown_invitation") {
		return err
	}
	if err != nil {
		return again(v, err, func(pageErr *shell.PageError) error { return askNewPassword(v, pageErr) })
	}
	if in.Half != "" {
		return askCode(v, nil, in.Half, "")
	}
	b.SignIn.LetIn(v.W, v.R, in)
	return v.Done(shell.Path, "password-changed")
}
