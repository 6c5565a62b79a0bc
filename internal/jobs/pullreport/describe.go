package pullreport

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// statusName returns the name of a project's commit status. Branch protection rules refer to it, and each project of
// a repository has its own. It consists of the project's name, for people, and part of its id, so that adding a
// project never changes another project's status name. It fits the limits of every host.
func statusName(p project.Project) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return ' '
	}, strings.ToLower(p.Name))
	name = strings.Join(strings.Fields(name), "-")
	name = strings.TrimRight(name[:min(len(name), 24)], "-") // ASCII only; no ellipsis
	return "lectern/" + cmp.Or(name, "docs") + "-" + p.ID[max(0, len(p.ID)-6):]
}

// Limits for a comment.
const (
	maxPages    = 20
	maxFindings = 20
	maxText     = 300 // bytes of one finding's message
	maxName     = 200 // bytes of a file or page
	maxPlaces   = 200 // findings that a host may show next to their lines
)

// report is the data sent to the code host.
type report struct {
	commit  string // "" = unknown
	status  pull.Status
	comment string // "" = create none; an existing comment stays unchanged
}

// marker identifies our comment. It is a link definition, which no host displays, whereas some hosts display HTML
// comments. Each project of a repository has its own comment.
func marker(projectID string) string { return "[//]: # (lectern-preview " + projectID + ")" }

// describe describes a preview's state. d is its newest build, or zero if there is none.
func (s *Sender) describe(p project.Project, v pullpreview.Preview, d deploy.Deployment) report {
	r := report{commit: v.Commit}
	if d.Commit != "" {
		r.commit = d.Commit // the commit that was built, even if there is a newer one
	}
	r.status = pull.Status{Name: statusName(p), State: pull.Pending, URL: v.URL}
	var b strings.Builder
	fmt.Fprintf(&b, "**Documentation preview of %s: ", code(p.Name, maxName))
	quiet := false // true while reviewers do not need a comment yet
	switch {
	case v.State != pullpreview.Open:
		r.status.State, r.status.Text = pull.Succeeded, "The preview was removed: the pull request is "+string(v.State)+"."
		if v.Outcome == deploy.Failure || v.Compared != nil && v.Compared.Errors > 0 {
			r.status.State = pull.Failed
		}
		fmt.Fprintf(&b, "removed.** The pull request is %s.\n", v.State)
	case v.Refused == pullpreview.Limit:
		r.status.State, r.status.Text = pull.Errored, "There is no preview: the project has reached its limit."
		b.WriteString("none.** The project has reached its limit of pull request previews. " +
			"Push again when another pull request is closed.\n")
	case v.Refused == pullpreview.Unchanged:
		r.status.State, r.status.Text = pull.Succeeded, "The pull request does not change the documentation."
		b.WriteString("none.** The pull request does not change the documentation.\n")
		quiet = true
	case v.Refused != "":
		r.status.State, r.status.Text = pull.Errored, "There is no preview: the code host does not provide the changes of forks."
		b.WriteString("none.** The code host does not provide the changes of forks.\n")
	case d.Status == deploy.Success:
		s.ready(&b, &r, p, v, d)
	case d.Status == deploy.Failure || d.ID == "":
		s.failed(&b, &r, p, d)
	default:
		r.status.Text, r.status.URL = "The preview is being built.", s.BuildURL(d.ID)
		fmt.Fprintf(&b, "building.** [Follow the build](%s)\n", s.BuildURL(d.ID))
		quiet = true
	}
	if quiet && v.CommentID == "" {
		return r
	}
	r.comment = marker(p.ID) + "\n\n" + b.String()
	return r
}

func (s *Sender) ready(b *strings.Builder, r *report, p project.Project, v pullpreview.Preview, d deploy.Deployment) {
	at := s.PreviewURL(d.ID)
	r.status.State, r.status.URL = pull.Succeeded, at
	fmt.Fprintf(b, "ready.** [Open the preview](%s)\n\nBuilt from %s; pages: %d.", at,
		code(short(d.Commit), maxName), d.PageCount)
	c := v.Compared
	if c == nil {
		errs, warnings := count(d.Diagnostics)
		r.status.Text = fmt.Sprintf("The preview is ready. Pages: %d, errors: %d, warnings: %d.", d.PageCount, errs, warnings)
		if errs > 0 {
			r.status.State = pull.Failed
		}
		fmt.Fprintf(b, " [Build log](%s)\n", s.BuildURL(d.ID))
		r.status.Findings = places(p, d.Diagnostics)
		writePages(b, at, v.Changed, "the published site")
		writeFindings(b, p, d.Diagnostics, fmt.Sprintf("Errors: %d, warnings: %d", errs, warnings), len(d.Diagnostics))
		return
	}
	r.status.Text = fmt.Sprintf("The preview is ready. New errors: %d, new warnings: %d.", c.Errors, c.Warnings)
	if c.Lost > 0 {
		r.status.Text = fmt.Sprintf("Addresses that readers would lose: %d. Add redirects. New errors: %d, new warnings: %d.",
			c.Lost, c.Errors, c.Warnings)
	}
	if c.Errors > 0 {
		r.status.State = pull.Failed
	}
	fmt.Fprintf(b, " Compared with %s, where the pull request began. [Build log](%s)\n", code(short(c.Base), maxName), s.BuildURL(d.ID))
	r.status.Findings = places(p, c.Findings)
	writePages(b, at, v.Changed, "its base")
	title := fmt.Sprintf("New errors: %d, new warnings: %d", c.Errors, c.Warnings)
	if c.Lost > 0 {
		title = fmt.Sprintf("**Addresses that readers would lose: %d.** Links and bookmarks to them stop working: add redirects.\n\n%s",
			c.Lost, title)
	}
	writeFindings(b, p, c.Findings, title, c.Errors+c.Warnings)
	if c.Known > 0 {
		fmt.Fprintf(b, "\nFindings that its base has too, not shown: %d\n", c.Known)
	}
}

func (s *Sender) failed(b *strings.Builder, r *report, p project.Project, d deploy.Deployment) {
	r.status.State, r.status.Text = pull.Failed, "The preview could not be built."
	if d.Transient {
		r.status.State = pull.Errored
	}
	b.WriteString("failed.**")
	if d.ID != "" {
		r.status.URL = s.BuildURL(d.ID)
		fmt.Fprintf(b, " [Build log](%s)", s.BuildURL(d.ID))
	}
	b.WriteString("\n")
	if d.Error != "" {
		fmt.Fprintf(b, "\n%s\n", code(d.Error, 2*maxText))
	}
	r.status.Findings = places(p, d.Diagnostics)
	errs, warnings := count(d.Diagnostics)
	writeFindings(b, p, d.Diagnostics, fmt.Sprintf("Errors: %d, warnings: %d", errs, warnings), len(d.Diagnostics))
}

// writePages lists the pages that differ from other.
func writePages(b *strings.Builder, at string, list []deploy.ChangedPage, other string) {
	if len(list) == 0 {
		fmt.Fprintf(b, "\nNo page differs from %s.\n", other)
		return
	}
	fmt.Fprintf(b, "\nPages that differ from %s: %d\n\n", other, len(list))
	for _, one := range list[:min(len(list), maxPages)] {
		if one.How == deploy.PageRemoved {
			fmt.Fprintf(b, "- %s (removed)\n", code(one.Path, maxName))
			continue
		}
		fmt.Fprintf(b, "- [%s](%s)", code(one.Path, maxName), at+address(one.Path))
		switch one.How {
		case deploy.PageAdded:
			b.WriteString(" (new)")
		case deploy.PageMoved:
			fmt.Fprintf(b, " (moved from %s)", code(one.From, maxName))
		}
		if one.Diff {
			fmt.Fprintf(b, " · [changes](%s)", at+address(deploy.ChangesPath(one.Path)))
		}
		b.WriteString("\n")
	}
	if len(list) > maxPages {
		fmt.Fprintf(b, "- and %d more\n", len(list)-maxPages)
	}
}

// writeFindings lists findings, errors first. all is the total number if the list is incomplete.
func writeFindings(b *strings.Builder, p project.Project, list diag.List, title string, all int) {
	if len(list) == 0 {
		return
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y diag.Diagnostic) int { // "error" comes before "warning"
		return strings.Compare(string(x.Severity), string(y.Severity))
	})
	fmt.Fprintf(b, "\n%s\n\n", title)
	shown := list[:min(len(list), maxFindings)]
	for i, d := range shown {
		word := "Warning"
		if d.Severity == diag.Error {
			word = "Error"
		}
		where := ""
		if d.File != "" {
			where = path.Join(p.DocsFolder, d.File)
			if d.Line > 0 {
				where = fmt.Sprintf("%s:%d", where, d.Line)
			}
			where = " " + code(where, maxName)
		}
		fmt.Fprintf(b, "- %s%s: %s\n", word, where, code(d.Message, maxText))
		// One redirect rule may cover several findings.
		if d.Code == deploy.LostAddress && (i+1 == len(shown) || shown[i+1].Hint != d.Hint) {
			fmt.Fprintf(b, "  - %s\n", code(d.Hint, 2*maxText))
		}
	}
	if all > len(shown) {
		fmt.Fprintf(b, "- and %d more\n", all-len(shown))
	}
}

// places returns findings to show next to their lines; nil if there are none.
func places(p project.Project, list diag.List) *pull.Findings {
	if len(list) == 0 {
		return nil
	}
	out := &pull.Findings{}
	for _, d := range list[:min(len(list), maxPlaces)] {
		f := pull.Finding{Line: d.Line, Failure: d.Severity == diag.Error, Title: d.Code, Message: d.Message}
		if d.File != "" {
			f.File = path.Join(p.DocsFolder, d.File)
		}
		if d.Hint != "" {
			f.Message += " " + d.Hint
		}
		out.List = append(out.List, f)
	}
	return out
}

func count(list diag.List) (errs, warnings int) {
	for _, d := range list {
		if d.Severity == diag.Error {
			errs++
		} else {
			warnings++
		}
	}
	return errs, warnings
}

func short(commit string) string { return commit[:min(len(commit), 12)] }

// address returns the path of a page's URL, escaped for Markdown links and without at signs.
func address(page string) string {
	if page == "index" {
		return "/"
	}
	parts := strings.Split(page, "/")
	for i, part := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29", "@", "%40").Replace(url.PathEscape(part))
	}
	return "/" + strings.Join(parts, "/")
}
