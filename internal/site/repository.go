package site

import (
	"net/url"
	"path"
	"strings"
)

// Repository is a site's source repository on a code host that readers can open. The zero value means unknown.
type Repository struct {
	Web    string // its URL, without a trailing slash: https://github.com/acme/docs
	Branch string // "" = the default branch
	Folder string // the site's folder in the repository; "" = the root

	// URLs relative to Web; "" = the code host has no such page.
	EditAt  string // editor; {file} stands for a slash, the branch and the path
	IssueAt string // form for a new issue; contains {title} and {text}
}

// Edit returns the URL at which a reader can edit a file of the site, or "" if the host has no editor.
func (r Repository) Edit(file string) string {
	if r.EditAt == "" {
		return ""
	}
	branch := r.Branch
	if branch == "" {
		branch = "HEAD"
	}
	at := (&url.URL{Path: path.Join("/", branch, r.Folder, file)}).EscapedPath()
	return r.Web + strings.Replace(r.EditAt, "{file}", at, 1)
}

// Issue returns the URL for a new issue about a page, or "" if the host has no form for issues. page is the page's URL
// or path.
func (r Repository) Issue(title, page string) string {
	if r.IssueAt == "" {
		return ""
	}
	return r.Web + strings.NewReplacer("{title}", escape("Issue on docs: "+title), "{text}", escape("Path: "+page)).
		Replace(r.IssueAt)
}

func escape(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }
