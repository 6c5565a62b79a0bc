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

// keysPage is what the page of API keys shows.
type keysPage struct {
	FormError *shell.PageError // of the form that was just sent; nil = none
	Form      keyForm
	New       *newKey // shown this once; nil = none was just made
	List      shell.Listing[keyRow]
	Projects  []client.Project
	More      bool // whether there are projects beyond those
	Example   string
}

// keyForm is what a person asked for.
type keyForm struct {
	Label, Expires, Addresses string
	Scopes                    []string
}

func freshKeyForm() keyForm { return keyForm{Scopes: []string{"read", "write"}, Expires: "90"} }

// Has reports whether a scope is ticked, for the template.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

// FieldErrors returns what is wrong with the form's fields, by name.
func (p keysPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

// Lives returns the choices of how long a key may live, in days.
func (keysPage) Lives() []string { return []string{"7", "30", "60", "90", "never"} }

// newKey is a key just made, with what its owner may do with it right away.
type newKey struct {
	*client.NewKey
	Export, Try string // Try is "" when the key's scopes allow nothing that is safe to try
}

func listKeys(b *shell.Board, v *shell.Visit) error {
	return showKeys(v, http.StatusOK, keysPage{Form: freshKeyForm()})
}

func createKey(b *shell.Board, v *shell.Visit) error {
	form := keyForm{Label: v.Field("label"), Expires: v.Field("expiresInDays"), Addresses: v.Form.Get("addresses"),
		Scopes: v.Form["scopes"]}
	if len(form.Scopes) == 0 { // which the API would read as all of them
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

// days returns the life that was chosen as the API takes it; what is no choice becomes one that it refuses.
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

// showKeys completes the page with what there is and sends it.
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

// try fills in the commands that put a new key to use. They read; where the key cannot read, it is tried on what it
// can.
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
