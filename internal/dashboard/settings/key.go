package settings

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// keysPage is the data of the page with API keys.
type keysPage struct {
	FormError *shell.PageError // error of the submitted form; nil = none
	Form      keyForm
	New       *newKey // the new key, shown only once; nil = none
	List      shell.Listing[keyRow]
	Projects  []client.Project
	More      bool // whether there are more projects
	Example   string
}

// keyForm contains the user's input.
type keyForm struct {
	Label, Expires, Addresses string
	Scopes                    []string
}

func freshKeyForm() keyForm { return keyForm{Scopes: []string{"read", "write"}, Expires: "90"} }

// Has reports whether a scope is selected. Used by the template.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

// FieldErrors returns the errors of the form's fields, by name.
func (p keysPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// Lives returns the options for a key's lifetime, in days.
func (keysPage) Lives() []string { return []string{"7", "30", "60", "90", "never"} }

// newKey is a new key, with commands to try it.
type newKey struct {
	*client.NewKey
	Export, Try string // Try is "" if the key's scopes permit nothing that is safe to try
}

func listKeys(b *shell.Board, v *shell.Visit) error {
	return showKeys(v, http.StatusOK, keysPage{Form: freshKeyForm()})
}

func createKey(b *shell.Board, v *shell.Visit) error {
	form := keyForm{Label: v.Field("label"), Expires: v.Field("expiresInDays"), Addresses: v.Form.Get("addresses"),
		Scopes: v.Form["scopes"]}
	if len(form.Scopes) == 0 { // the API would treat this as all scopes
		return showKeys(v, http.StatusBadRequest,
			keysPage{Form: form, FormError: &shell.PageError{Status: http.StatusBadRequest, Code: "invalid_field",
				Message: "The key has no scopes, so it would be useless.",
				Fields:  map[string]string{"scopes": "Choose at least one scope."}}})
	}
	want := client.CreateKey{Label: form.Label, Scopes: form.Scopes, ExpiresInDays: form.days(),
		Addresses: strings.Fields(form.Addresses)}
	made, err := v.API.CreateKey(v.Ctx(), want)
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return showKeys(v, pageErr.Status, keysPage{Form: form, FormError: pageErr})
	}
	return showKeys(v, http.StatusOK, keysPage{New: &newKey{NewKey: made}, Form: freshKeyForm()})
}

// days returns the selected lifetime as an API parameter; invalid input becomes a value that the API rejects.
func (f keyForm) days() int {
	if f.Expires == "never" {
		return 0
	}
	if n, err := strconv.Atoi(f.Expires); err == nil && n != 0 {
		return n
	}
	return -1
}

func revokeKey(b *shell.Board, v *shell.Visit) error {
	params := client.RevokeKeyParams{Children: v.Field("children") != ""}
	if err := v.API.RevokeKey(v.Ctx(), v.R.PathValue("keyId"), params); err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return showKeys(v, pageErr.Status, keysPage{FormError: pageErr, Form: freshKeyForm()})
	}
	return v.Done(KeysPath, "key-revoked")
}

// showKeys loads the remaining data and shows the page.
func showKeys(v *shell.Visit, status int, page keysPage) error {
	projects, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100})
	if err != nil {
		return err
	}
	members, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return err
	}
	page.Projects, page.More = projects.Projects, projects.NextCursor != nil
	names := map[string]string{}
	for _, m := range members.Members {
		names[m.MemberID] = m.Email
	}
	if page.List, err = keyList(v, names); err != nil {
		return err
	}
	if page.New != nil {
		page.New.try(v.B.Base(v.R), projects.Projects)
	}
	page.Example = shell.Body(client.CreateKey{Label: "CI", Scopes: []string{"read", "write"}, ExpiresInDays: 90,
		Addresses: []string{"203.0.113.0/24"}})
	return v.Show(status, "keys", shell.Frame{Title: "API keys", Section: "keys"}, page)
}

// try sets the commands to try a new key. They only read, within the key's scopes.
func (k *newKey) try(base string, projects []client.Project) {
	k.Export = "export LECTERN_KEY=" + k.Secret
	switch {
	case slices.Contains(k.Scopes, "read"):
		k.Try = shell.Curl(base, "GET", "/v1/projects", "")
	case slices.Contains(k.Scopes, "discovery") && len(projects) > 0:
		k.Try = shell.Curl(base, "POST", "/discovery/v1/search/"+url.PathEscape(projects[0].Domain),
			shell.Body(client.SearchSite{Query: "start"}))
	}
}
