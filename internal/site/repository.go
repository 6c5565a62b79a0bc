package site

import (
	"net/url"
	"path"
	"strings"
)

// Repository is the source repository of a site, on a code host that readers can open. The zero value is unknown.
type Repository struct {
	Kind   string // of the code host: github, gitlab, gitea, bitbucket or bitbucket-data-center
	Web    string // its URL without a trailing slash: https://github.com/acme/docs
	Branch string // "" = the default one
	Folder string // of the site below the repository's root; "" = the root itself
}

// Edit returns the URL at which a reader can edit a file of the site; "" if the host has none.
func (r Repository) Edit(file string) string {
	branch := r.Branch
	if branch == "" {
		branch = "HEAD"
	}
	at := (&url.URL{Path: path.Join("/", branch, r.Folder, file)}).EscapedPath()
	switch r.Kind {
	case "github":
		return r.Web + "/edit" + at
	case "gitlab":
		return r.Web + "/-/edit" + at
	case "gitea":
		return r.Web + "/_edit" + at
	case "bitbucket":
		return r.Web + "/src" + at + "?mode=edit"
	}
	return ""
}

// Issue returns the URL for a new issue about a page; "" if the host has none. page is the page's URL, or its path.
func (r Repository) Issue(title, page string) string {
	title, page = "Issue on docs: "+title, "Path: "+page
	switch r.Kind {
	case "github", "gitea":
		return r.Web + "/issues/new?" + query("title", title) + "&" + query("body", page)
	case "gitlab":
		return r.Web + "/-/issues/new?" + query("issue[title]", title) + "&" + query("issue[description]", page)
	case "bitbucket":
		return r.Web + "/issues/new?" + query("title", title)
	}
	return ""
}

func query(key, value string) string {
	return strings.ReplaceAll(url.QueryEscape(key)+"="+url.QueryEscape(value), "+", "%20")
}
