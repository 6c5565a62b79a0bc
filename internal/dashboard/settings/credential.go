package settings

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/serve/githubapp"
)

// credentialsPage is the data of the page with credentials.
type credentialsPage struct {
	FormError   *shell.PageError // error of the submitted form; nil = none
	Form        credentialForm   // without the secret, which is never shown again
	Credentials []credentialRow
	Example     string
	Tested      *tested // result of a test; nil = none
	Apps        bool    // whether GitHub Apps can be created
	App         githubapp.Request
}

// tested is the result of testing a credential.
type tested struct {
	client.CredentialTest
	CredentialID, Name string
	Repository         string // repository used in the test; "" = none
}

// credentialForm contains the user's input.
type credentialForm struct{ Name, Kind, URL, User, AppID string }

// credentialRow is a credential in the list.
type credentialRow struct {
	client.Credential
	By string // who created it
}

// FieldErrors returns the errors of the form's fields, by name.
func (p credentialsPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// Kinds returns the kinds of credentials.
func (credentialsPage) Kinds() []string { return []string{"token", "ssh-key", "github-app"} }

func listCredentials(_ *shell.Board, v *shell.Visit) error {
	return showCredentials(v, http.StatusOK, credentialsPage{Form: credentialForm{Kind: "token"}})
}

func createCredential(b *shell.Board, v *shell.Visit) error {
	if b.GitHubApps != nil && v.Field("app") != "" {
		return storeKeptApp(b, v)
	}
	form := credentialForm{Name: v.Field("name"), Kind: v.Field("kind"), URL: v.Field("url"), User: v.Field("user"),
		AppID: v.Field("appId")}
	_, err := v.API.CreateCredential(v.Ctx(), client.CreateCredential{Name: form.Name, Kind: form.Kind, URL: form.URL,
		User: form.User, AppID: form.AppID, Secret: v.Field("secret")})
	return endCredential(v, err, form, "credential-stored")
}

func replaceCredential(_ *shell.Board, v *shell.Visit) error {
	_, err := v.API.ReplaceCredential(v.Ctx(), v.R.PathValue("credentialId"),
		client.ReplaceCredential{URL: v.Field("url"), User: v.Field("user"), AppID: v.Field("appId"),
			Secret: v.Field("secret")})
	return endCredential(v, err, credentialForm{Kind: "token"}, "credential-replaced")
}

func deleteCredential(_ *shell.Board, v *shell.Visit) error {
	err := v.API.DeleteCredential(v.Ctx(), v.R.PathValue("credentialId"))
	return endCredential(v, err, credentialForm{Kind: "token"}, "credential-deleted")
}

// testCredential tests a credential at its code host and shows the result.
func testCredential(_ *shell.Board, v *shell.Visit) error {
	credentialID, repository := v.R.PathValue("credentialId"), v.Field("repository")
	found, err := v.API.TestCredential(v.Ctx(), credentialID, client.TestCredential{Repository: repository})
	if err != nil {
		return endCredential(v, err, credentialForm{Kind: "token"}, "")
	}
	return showCredentials(v, http.StatusOK, credentialsPage{Form: credentialForm{Kind: "token"},
		Tested: &tested{CredentialTest: *found, CredentialID: credentialID, Repository: repository}})
}

// endCredential shows the page again with the API's error, or redirects.
func endCredential(v *shell.Visit, err error, form credentialForm, notice string) error {
	if err == nil {
		return v.Done(CredentialsPath, notice)
	}
	pageErr := shell.FormError(err)
	if pageErr == nil {
		return err
	}
	return showCredentials(v, pageErr.Status, credentialsPage{FormError: pageErr, Form: form})
}

// showCredentials loads the remaining data and shows the page.
func showCredentials(v *shell.Visit, status int, page credentialsPage) error {
	list, err := v.API.ListCredentials(v.Ctx())
	if err != nil {
		return err
	}
	members, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, m := range members.Members {
		names[m.MemberID] = m.Email
	}
	for _, c := range list.Credentials {
		page.Credentials = append(page.Credentials, credentialRow{c, maker(c.CreatedBy, names)})
		if page.Tested != nil && page.Tested.CredentialID == c.CredentialID {
			page.Tested.Name = c.Name
		}
	}
	page.Apps = v.B.GitHubApps != nil
	if page.App == (githubapp.Request{}) {
		page.App = githubapp.Request{Name: "github", URL: "https://github.com"}
	}
	page.Example = shell.Body(client.CreateCredential{Name: "docs-bot", Kind: "token",
		URL: "https://git.example.com/team", User: "bot", Secret: "TOKEN"})
	return v.Show(status, "credentials", shell.Frame{Title: "Credentials", Section: "credentials"}, page)
}
