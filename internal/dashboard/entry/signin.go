package entry

import (
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// signInPage is the data of the sign-in page.
type signInPage struct {
	FormError *shell.PageError // error of the last attempt; nil = none
	Next      string           // page that the user wants to open
	Email     entryField
	Password  entryField
	Provider  string // name of the identity provider; "" = none
	Start     string // URL for signing in with it
	Mail      bool   // whether password links can be sent by mail
	NoOwner   bool   // whether no owner can sign in yet
}

// codePage asks for the second factor.
type codePage struct {
	FormError *shell.PageError
	Half      string
	Next      string
	Code      entryField
}

// browser describes the request's client for package signin. The dashboard's server has already assigned the request
// id.
func browser(v *shell.Visit) signin.Browser {
	return v.B.SignIn.Browser(v.R, v.W.Header().Get(apierror.Header))
}

// findVisitor finds the session on a route that does not require one.
func findVisitor(v *shell.Visit) error {
	found, err := v.B.SignIn.Find(v.R)
	if err == nil {
		v.Visit = found
	} else if fault.Is(err, fault.Unauthenticated) {
		err = nil
	}
	return err
}

func showSignIn(b *shell.Board, v *shell.Visit) error {
	if err := findVisitor(v); err != nil {
		return err
	}
	if v.Person.ID != "" {
		return v.Done(afterwards(v.Query("next")), "")
	}
	return askPassword(v, nil, "", v.Query("next"))
}

// askPassword shows the sign-in form; pageErr is the error of the last attempt, or nil.
func askPassword(v *shell.Visit, pageErr *shell.PageError, email, next string) error {
	if err := v.B.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	owned, err := v.B.SignIn.HasOwner(v.Ctx())
	if err != nil {
		return err
	}
	page := signInPage{FormError: pageErr, Next: afterwards(next), Email: emailField(email, false, nil),
		Password: currentPassword("", "password", "Password", nil), NoOwner: !owned, Mail: v.B.SignIn.Mail}
	page.Password.Focus = email != ""
	if p := v.B.SignIn.IDP; p != nil {
		page.Provider = p.Name
		page.Start, _ = idpPaths(v.B)
	}
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	v.Visit = signin.Visit{}
	return v.Show(status, "signin", shell.Frame{Title: "Sign in", Narrow: true, Did: v.Did()}, page)
}

func signIn(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	in, err := b.SignIn.SignIn(v.Ctx(),
		signin.Attempt{Email: v.Field("email"), Password: v.Form.Get("password"), Browser: browser(v)})
	if err != nil {
		return again(v, err, func(pageErr *shell.PageError) error {
			return askPassword(v, pageErr, v.Field("email"), v.Form.Get("next"))
		})
	}
	return entered(v, in, v.Form.Get("next"))
}

// again shows a rejected form again; errors that do not concern the form are returned.
func again(v *shell.Visit, err error, form func(*shell.PageError) error) error {
	pageErr := shell.NewPageError(err)
	if pageErr.Status >= http.StatusInternalServerError {
		return err
	}
	if f, ok := fault.As(err); ok && f.RetryAfter > 0 {
		v.W.Header().Set("Retry-After", strconv.Itoa(apierror.Seconds(f.RetryAfter)))
	}
	return form(&pageErr)
}

// entered redirects a signed-in user, or asks for the second factor.
func entered(v *shell.Visit, in signin.Entered, next string) error {
	if in.Half != "" {
		return askCode(v, nil, in.Half, next)
	}
	v.B.SignIn.LetIn(v.W, v.R, in)
	if in.RecoveryLeft >= 0 {
		return v.Done("/dashboard/account", "recovery-used")
	}
	return v.Done(afterwards(next), "")
}

func askCode(v *shell.Visit, pageErr *shell.PageError, half, next string) error {
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	v.Visit = signin.Visit{}
	return v.Show(status, "code", shell.Frame{Title: "Two-factor sign-in", Narrow: true},
		codePage{FormError: pageErr, Half: half, Next: afterwards(next),
			Code: codeField("Six digits from your authenticator app, or one of your recovery codes.", pageErr)})
}

func signInCode(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	half, next := v.Field("half"), v.Form.Get("next")
	in, err := b.SignIn.Second(v.Ctx(), half, v.Field("code"), browser(v))
	if err != nil {
		return again(v, err, func(pageErr *shell.PageError) error {
			if pageErr.Code == "invalid_code" {
				return askCode(v, pageErr, half, next)
			}
			return askPassword(v, pageErr, "", next)
		})
	}
	return entered(v, in, next)
}

func signOut(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.SignOut(v.Ctx(), v.Visit, browser(v)); err != nil {
		return err
	}
	b.SignIn.ClearCookie(v.W, v.R)
	return v.Done("/dashboard/sign-in", "signed-out")
}

func switchOrganization(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.Switch(v.Ctx(), v.Visit, v.Field("organization")); err != nil {
		return err
	}
	return v.Done(shell.Path, "switched")
}
