package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func repoComponents() []Component {
	props := []Prop{{Name: "repo", Kind: Text, Required: true},
		{Name: "variant", Kind: Word, Values: []string{"inset", "flat"}}}
	return []Component{
		{Name: "GitHub.Repo", Render: renderRepo, Props: props},
		{Name: "Github.Repo", Instead: "GitHub.Repo", Render: renderRepo, Props: props},
	}
}

var repoName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$`)

// renderRepo links to a repository. It omits figures that change, such as stars and forks, so that the page depends
// only on its source and works offline.
func renderRepo(w *Writer, e *ast.Element) {
	name := strings.TrimSpace(e.Str("repo"))
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "https://github.com/"), "/"), ".git")
	if !repoName.MatchString(name) {
		w.Warn(propSpan(e, "repo"), "bad-prop", "The prop repo of <"+e.Name+"> cannot be "+describe(e.Prop("repo"))+".",
			`Write repo="owner/name".`)
		w.Render(e.Children)
		return
	}
	to, ok := w.Resolve("https://github.com/"+name, false, propSpan(e, "repo"))
	if !ok {
		return
	}
	class := "repo card-linked"
	if e.Str("variant") == "flat" {
		class += " repo-flat"
	}
	owner, repo, _ := strings.Cut(name, "/")
	w.start("div", class, w.own(e), e)
	w.Raw(`><svg class="repo-mark" viewBox="0 0 20 20" aria-hidden="true">`,
		`<path d="M5 15.5V4.6c0-.9.7-1.6 1.6-1.6H15v11H6.5A1.5 1.5 0 0 0 5 15.5zm0 0A1.5 1.5 0 0 0 6.5 17H15v-3M8 6.25h4"/></svg>`)
	w.Raw(`<p class="repo-name" data-platform><a class="card-link"`)
	w.linkAttrs(to.Href, true)
	w.Raw(`><span class="repo-owner">`)
	w.Text(owner + " / ")
	w.Raw(`</span>`)
	w.Text(repo)
	w.Raw(`</a></p>`)
	if !empty(e.Children) {
		w.Raw(`<div class="card-text flow">`)
		w.Render(e.Children)
		w.Raw(`</div>`)
	}
	w.Raw(`<svg class="card-arrow" viewBox="0 0 16 16" aria-hidden="true"><path d="M5 11l6-6M6 5h5v5"/></svg></div>`)
}
