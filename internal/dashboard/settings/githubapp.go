package settings

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
)

const (
	appPath     = CredentialsPath + "/github-app"
	appBackPath = appPath + "/created"
)

// creator returns the user who creates an App.
func creator(v *shell.Visit) githubapp.Person {
	return githubapp.Person{OrganizationID: v.Membership.Organization.ID, MemberID: v.Membership.Member.ID}
}

// beginApp shows the form that leads to GitHub. It changes nothing on this server: the user decides on GitHub.
func beginApp(b *shell.Board, v *shell.Visit) error {
	want := githubapp.Request{Name: strings.TrimSpace(v.Query("name")), URL: strings.TrimSpace(v.Query("url")),
		Owner: strings.TrimSpace(v.Query("owner"))}
	if b.GitHubApps == nil || want == (githubapp.Request{}) {
		http.Redirect(v.W, v.R, CredentialsPath, http.StatusSeeOther)
		return nil
	}
	form, err := b.GitHubApps.Begin(creator(v), want, b.Base(v.R), appBackPath)
	if err != nil {
		if pageErr := shell.FormError(err); pageErr != nil {
			return showCredentials(v, pageErr.Status, credentialsPage{FormError: pageErr, Form: credentialForm{Kind: "token"},
				App: want})
		}
		return err
	}
	v.AllowFormTo(form.Origin)
	return v.Show(http.StatusOK, "githubapp", shell.Frame{Title: "Create a GitHub App", Section: "credentials",
		Crumbs: []shell.Crumb{{Text: "Credentials", Path: CredentialsPath}}}, struct {
		githubapp.Form
		Request githubapp.Request
	}{form, want})
}

// finishApp stores the App that GitHub created. GitHub redirects the browser here, so the URL is untrusted. The state
// proves that this user started the process, and is accepted only once.
func finishApp(b *shell.Board, v *shell.Visit) error {
	if b.GitHubApps == nil || v.Query("state") == "" && v.Query("code") == "" {
		http.Redirect(v.W, v.R, CredentialsPath, http.StatusSeeOther)
		return nil
	}
	made, err := b.GitHubApps.Finish(v.Ctx(), creator(v), v.Query("state"), v.Query("code"))
	if made.Again != "" {
		return showUnfinished(v, err, unfinishedApp{Again: appBackPath + "?" +
			url.Values{"state": {made.Again}, "code": {v.Query("code")}}.Encode()})
	}
	if err != nil {
		return err
	}
	return storeApp(b, v, made, made.Name)
}

// storeKeptApp tries again to store an App, under the name that the user has chosen this time.
func storeKeptApp(b *shell.Board, v *shell.Visit) error {
	made, err := b.GitHubApps.Kept(creator(v), v.Field("app"))
	if err != nil {
		return err
	}
	return storeApp(b, v, made, strings.TrimSpace(v.Field("name")))
}

// storeApp stores an App as a credential. If that fails, the page contains the encrypted key, because GitHub shows it
// only once.
func storeApp(b *shell.Board, v *shell.Visit, made githubapp.Made, name string) error {
	in := client.CreateCredential{Name: name, Kind: "github-app", URL: made.URL + "/" + made.CreatedApp.Owner,
		AppID: made.App.ID, Secret: made.App.PrivateKey}
	stored, err := v.API.CreateCredential(v.Ctx(), in)
	if refused := (*client.Error)(nil); errors.As(err, &refused) && refused.Code == "credential_exists" {
		in.Name = "github-app-" + made.App.ID
		stored, err = v.API.CreateCredential(v.Ctx(), in)
	}
	if err != nil {
		return showUnfinished(v, err, unfinishedApp{Name: name, Kept: b.GitHubApps.Keep(creator(v), made)})
	}
	return v.Show(http.StatusOK, "githubappmade", shell.Frame{Title: "The GitHub App was created", Section: "credentials",
		Crumbs: []shell.Crumb{{Text: "Credentials", Path: CredentialsPath}}}, struct {
		Credential client.Credential
		InstallURL string
	}{*stored, made.InstallURL})
}

// unfinishedApp is an App created by GitHub but not stored here.
type unfinishedApp struct {
	Name      string // for the credential
	FormError *shell.PageError
	Again     string // URL that requests the key from GitHub again; "" = we have the key
	Kept      string // the App with its key, encrypted
}

// showUnfinished shows why an App was not stored, and how to try again.
func showUnfinished(v *shell.Visit, err error, page unfinishedApp) error {
	why := shell.NewPageError(err)
	page.FormError = &why
	return v.Show(why.Status, "githubappagain", shell.Frame{Title: "The GitHub App is not stored yet", Section: "credentials",
		Crumbs: []shell.Crumb{{Text: "Credentials", Path: CredentialsPath}}}, page)
}
