package jobpage

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

const (
	filesShown  = 100    // per proposal, with their lines
	changeLines = 10_000 // total
)

// change contains a proposal's changes of files, for pages.
type change struct {
	Files          []fileView
	Count          int // number of all files
	More           int // number of files not shown
	Added, Removed int
	Unseen         string // why the changes are not shown; "" = they are shown
}

// fileView is a changed file.
type fileView struct {
	ID   string // id of the HTML element
	Path string
	From string // previous path, if it was renamed, or ""
	Kind string // added, removed, renamed or changed
	Page string // URL of the page on a site; "" = none
	diffview.Lines
	Note  string        // shown instead of lines; "" = lines are shown
	Rows  []rowView     // lines with their comments; nil on pages without comments
	Apart []commentView // comments on lines that are not shown
}

// formOpen reports whether the comment form is open at one of the lines.
func (c change) formOpen() bool {
	for _, f := range c.Files {
		for _, row := range f.Rows {
			if row.Form != nil {
				return true
			}
		}
	}
	return false
}

// changeOf prepares a proposal's changes. site is the URL where its pages can be seen.
func changeOf(p client.ProposalChanges, site string) change {
	out := change{Count: len(p.Files)}
	if p.Files == nil {
		out.Unseen = "The changes cannot be shown: the branch no longer exists, or there are too many changes."
		return out
	}
	known := linesByFile(p)
	for i, f := range p.Files {
		out.Added, out.Removed = out.Added+f.Added, out.Removed+f.Removed
		if i >= filesShown {
			out.More++
			continue
		}
		view := fileView{ID: "file-" + strconv.Itoa(i+1), Path: f.Path, From: shell.Text(f.From), Kind: f.Change,
			Page: pageOf(f, site)}
		view.Lines.Added, view.Lines.Removed = f.Added, f.Removed
		switch {
		case f.Binary:
			view.Note = "This is not a text file."
		case known == nil:
			view.Note = "There are too many changes to show those of this file."
		case known[i].Cut:
			view.Note = "There are too many changes to show those of this file."
		case len(known[i].List) == 0 && shell.Text(f.From) != "":
			view.Note = "The content is the same."
		case len(known[i].List) == 0:
			view.Note = "The file is empty."
		default:
			view.Lines = known[i].Lines
		}
		out.Files = append(out.Files, view)
	}
	return out
}

// patchOf prepares the changes of a dry run, which has only a patch. Its pages are on no site.
func patchOf(patch string) change {
	list, err := diffview.Parse(patch, changeLines)
	if err != nil {
		return change{Unseen: "The changes cannot be shown. The record has them as a patch."}
	}
	files := client.ProposalChanges{Files: []client.ProposalFile{}, Patch: &patch}
	for _, f := range list {
		files.Files = append(files.Files, client.ProposalFile{Path: f.Path, From: &f.From, Binary: f.Binary,
			Added: f.Added, Removed: f.Removed, Change: f.Kind})
	}
	return changeOf(files, "")
}

// linesByFile parses the patch; it returns nil if there is none, or if it does not match the list of files.
func linesByFile(p client.ProposalChanges) []diffview.File {
	if p.Patch == nil {
		return nil
	}
	list, err := diffview.Parse(*p.Patch, changeLines)
	if err != nil || len(list) != len(p.Files) {
		return nil
	}
	for i, f := range list {
		if f.Path != p.Files[i].Path {
			return nil
		}
	}
	return list
}

// pageOf returns the URL of a changed page on a site, or "" for other files and removed ones.
func pageOf(f client.ProposalFile, site string) string {
	ext := path.Ext(f.Path)
	if site == "" || f.Change == "removed" || ext != ".mdx" && ext != ".md" || strings.HasPrefix(f.Path, "../") {
		return ""
	}
	return strings.TrimSuffix(site, "/") + "/" + (&url.URL{Path: slug.Page(f.Path)}).EscapedPath()
}
