package entry

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
)

// Routes returns the pages for signing in, signing out and one's own account.
func Routes() []shell.Route {
	return []shell.Route{
		shell.OpenPage("/dashboard/sign-in", showSignIn),
		shell.OpenForm("/dashboard/sign-in", signIn),
		shell.OpenForm("/dashboard/sign-in/code", signInCode),
		shell.OpenPage("/dashboard/oidc/start", startIDP),
		shell.OpenPage("/dashboard/oidc/callback", finishOIDC),
		shell.OpenPage("/dashboard/saml/start", startIDP),
		shell.OpenPage("/dashboard/saml/metadata", showSAML),
		{Method: http.MethodPost, Pattern: samlACS, Public: true, FromOthers: usesSAML, Handle: takeSAML},
		shell.Form("/dashboard/sign-out", shell.AnyRole, signOut),
		shell.OpenPage("/dashboard/join", showJoin),
		shell.OpenForm("/dashboard/join", join),
		shell.OpenPage("/dashboard/forgot-password", showForgot),
		shell.OpenForm("/dashboard/forgot-password", forgot),
		shell.OpenPage("/dashboard/new-password", showNewPassword),
		shell.OpenForm("/dashboard/new-password", setNewPassword),
		shell.Page(siteaccess.DashboardPath, shell.AnyRole, handOff),
		shell.Form("/dashboard/switch", shell.AnyRole, switchOrganization),
		shell.OpenForm("/dashboard/theme", setTheme),
		shell.Page("/dashboard/account", shell.AnyRole, showAccount),
		shell.Form("/dashboard/account/name", shell.AnyRole, renamePerson),
		shell.Form("/dashboard/account/password", shell.AnyRole, changePassword),
		shell.Form("/dashboard/account/two-factor/begin", shell.AnyRole, beginTOTP),
		shell.Form("/dashboard/account/two-factor/confirm", shell.AnyRole, confirmTOTP),
		shell.Form("/dashboard/account/two-factor/off", shell.AnyRole, endTOTP),
		shell.Form("/dashboard/account/two-factor/codes", shell.AnyRole, newRecovery),
		shell.Form("/dashboard/account/sessions/end", shell.AnyRole, endSession),
		shell.Form("/dashboard/account/sessions/end-others", shell.AnyRole, endOtherSessions),
	}
}
