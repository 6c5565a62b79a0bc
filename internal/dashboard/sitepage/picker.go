package sitepage

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// picker is the section of the new project form that finds a repository at a code host.
type picker struct {
	Credentials  []client.Credential // credentials that can list repositories
	Chosen       string              // id of the selected one; "" = none
	Search       string
	Asked        bool // whether repositories were requested
	Repositories []client.Repository
	Next         string           // URL of the next page; "" = none
	Error        *shell.PageError // error of the request; nil = none
}

const newPath = "/dashboard/projects/new"

// Choose returns the URL of the form with a repository filled in.
func (p picker) Choose(r client.Repository) string {
	return newPath + "?" + url.Values{"credential": {p.Chosen}, "repository": {r.URL}, "branch": {shell.Text(r.Branch)}}.Encode()
}

// name returns the name of the selected credential, or "".
func (p picker) name() string {
	for _, c := range p.Credentials {
		if c.CredentialID == p.Chosen {
			return c.Name
		}
	}
	return ""
}

// shortName returns the name of a repository without its owner.
func shortName(repository string) string {
	return strings.TrimSuffix(path.Base(strings.TrimRight(repository, "/")), ".git")
}

// findPicker loads the credentials, and the repositories of the selected one, unless a repository was already
// selected.
func findPicker(v *shell.Visit) (picker, error) {
	p := picker{Chosen: v.Query("credential"), Search: strings.TrimSpace(v.Query("search"))}
	list, err := v.API.ListCredentials(v.Ctx())
	if err != nil {
		return p, err
	}
	for _, c := range list.Credentials {
		if c.Kind != "ssh-key" {
			p.Credentials = append(p.Credentials, c)
		}
	}
	if p.name() == "" || v.Query("repository") != "" {
		return p, nil
	}
	p.Asked = true
	found, err := v.API.ListRepositories(v.Ctx(), p.Chosen,
		client.ListRepositoriesParams{Search: p.Search, Cursor: v.Query("cursor"), Limit: 30})
	if err != nil {
		pageErr := shell.NewPageError(err)
		p.Asked, p.Error = false, &pageErr
		return p, nil
	}
	p.Repositories = found.Repositories
	if next := shell.Text(found.NextCursor); next != "" {
		p.Next = newPath + "?" + url.Values{"credential": {p.Chosen}, "search": {p.Search}, "cursor": {next}}.Encode() +
			"#repositories"
	}
	return p, nil
}
