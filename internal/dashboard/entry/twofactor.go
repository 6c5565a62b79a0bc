package entry

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// issuer returns the name of this server in authenticator apps.
func issuer(v *shell.Visit) string { return "Lectern " + shell.HostOf(v.B.Base(v.R)) }

func beginTOTP(b *shell.Board, v *shell.Visit) error {
	s, err := b.SignIn.BeginTOTP(v.Visit, issuer(v))
	if err != nil {
		return accountAgain(v, err, "two-factor")
	}
	return showSetup(v, s, nil)
}

// showSetup shows a second factor that is not turned on yet.
func showSetup(v *shell.Visit, s signin.Setup, pageErr *shell.PageError) error {
	// the picture and the link come from package totp, which escapes everything
	form := &setupForm{Setup: s, Picture: template.HTML(s.QR), Link: template.URL(s.URI),
		Code:     codeField("The six digits that the app currently shows.", pageErr),
		Password: currentPassword("setup-", "current", "Your password", pageErr)}
	form.Code.Digits = true
	status := http.StatusOK
	if pageErr != nil {
		status = pageErr.Status
	}
	return renderAccount(v, status, accountPage{FormError: pageErr, At: "two-factor", Setup: form})
}

func confirmTOTP(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	sealed := v.Field("setup")
	token, codes, err := b.SignIn.ConfirmTOTP(v.Ctx(), v.Visit, sealed, v.Field("code"), v.Form.Get("current"),
		browser(v))
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		if s, gone := b.SignIn.ResumeTOTP(v.Visit, issuer(v), sealed); gone == nil {
			return showSetup(v, s, pageErr)
		}
		return renderAccount(v, pageErr.Status, accountPage{FormError: pageErr, At: "two-factor"})
	}
	return showRecovery(v, token, codes)
}

func endTOTP(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	token, err := b.SignIn.EndTOTP(v.Ctx(), v.Visit, v.Form.Get("current"), browser(v))
	if err != nil {
		return accountAgain(v, err, "off")
	}
	b.SignIn.SetCookie(v.W, v.R, token)
	return v.Done("/dashboard/account", "two-factor-off")
}

func newRecovery(b *shell.Board, v *shell.Visit) error {
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	token, codes, err := b.SignIn.NewRecovery(v.Ctx(), v.Visit, v.Form.Get("current"), browser(v))
	if err != nil {
		return accountAgain(v, err, "codes")
	}
	return showRecovery(v, token, codes)
}

// showRecovery shows new recovery codes, only once. The page already belongs to the new session.
func showRecovery(v *shell.Visit, token string, codes []string) (err error) {
	v.B.SignIn.SetCookie(v.W, v.R, token)
	if v.Visit, err = v.B.SignIn.Visitor(v.Ctx(), token); err != nil {
		return err
	}
	return renderAccount(v, http.StatusOK, accountPage{Recovery: codes})
}

// browserName returns a short, readable name for a browser. It truncates unknown user agents.
func browserName(agent string) string {
	name, system := "", ""
	for _, b := range [][2]string{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"Chrome/", "Chrome"}, {"CriOS/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}} {
		if name == "" && strings.Contains(agent, b[0]) {
			name = b[1]
		}
	}
	for _, s := range [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}} {
		if system == "" && strings.Contains(agent, s[0]) {
			system = s[1]
		}
	}
	switch {
	case name != "" && system != "":
		return name + " on " + system
	case name != "":
		return name
	case agent == "":
		return "Unknown browser"
	}
	letters := []rune(agent)
	return string(letters[:min(len(letters), 60)])
}
