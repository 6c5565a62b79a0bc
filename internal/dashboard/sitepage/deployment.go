package sitepage

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// Limits of a deployment's page; authors can see everything with lectern check.
const (
	maxFindings = 500
	maxLogLines = 1000
)

// deploymentPage is one deployment.
type deploymentPage struct {
	client.UpdateStatus
	Project         client.Project
	Live            bool // whether it is live
	Preview         bool
	May             bool   // whether it could be restored by a rollback
	Found           string // summary of the number of findings; "" = none
	Files           []fileFindings
	Unshown         int // number of findings not shown
	Earlier         int // number of log lines not shown
	Lines           []client.LogLine
	ErrorCount      int
	RollBackExample string
	Held            bool // it was held because pages would be removed, and can be confirmed
	ConfirmExample  string
	Later           string // id of a newer published update, which makes a failure irrelevant; "" = none
	Title           string // first line of the commit message; "" = unknown
	Languages       []translationRow
}

// fileFindings are the findings in one file.
type fileFindings struct {
	File string // "" = the whole site
	List []finding
}

// finding is a finding with a link to its documentation.
type finding struct {
	shell.Finding
	Help string // URL in the reference; "" = our docs are not published
}

func showDeployment(b *shell.Board, v *shell.Visit) error {
	u, err := v.API.GetUpdateStatus(v.Ctx(), v.R.PathValue("statusId"))
	if err != nil {
		return err
	}
	v.About(u.ProjectID)
	p, err := v.API.GetProject(v.Ctx(), u.ProjectID)
	if err != nil {
		return err
	}
	data := deploymentPage{UpdateStatus: *u, Project: *p, Preview: u.Kind == "preview", Live: p.Live != nil &&
		p.Live.DeploymentID == u.StatusID, Lines: u.LogLines}
	data.May = u.Status == client.UpdateStateSuccess && !data.Preview && !data.Live
	if l := p.LastUpdate; l != nil && !data.Preview && l.StatusID != u.StatusID && l.Status == client.UpdateStateSuccess {
		data.Later = l.StatusID
	}
	data.Held = u.Status == client.UpdateStateFailure && data.Later == "" &&
		slices.ContainsFunc(u.Diagnostics, func(d client.Diagnostic) bool { return d.Code == "update-held" })
	data.Title = deploy.Change{Message: u.Commit.Message}.Title()
	data.ConfirmExample = shell.Body(map[string]bool{"acceptRemovals": true})
	data.RollBackExample = shell.Body(map[string]string{"deploymentId": u.StatusID})
	if len(data.Lines) > maxLogLines {
		data.Earlier = len(data.Lines) - maxLogLines
		data.Lines = data.Lines[data.Earlier:]
	}
	data.Files, data.Found, data.Unshown, data.ErrorCount = Group(b, u.Diagnostics)
	data.Languages = translationRows(v, p.ProjectID, u.Translations)
	title := "Update of " + p.Name
	crumbs := append(shell.ProjectCrumbs(p.Name, p.ProjectID),
		shell.Crumb{Text: "Deployments", Path: shell.ProjectPath(p.ProjectID, "/deployments")})
	if data.Preview {
		title = "Preview of " + p.Name
		crumbs[2] = shell.Crumb{Text: "Previews", Path: shell.ProjectPath(p.ProjectID, "/previews")}
	}
	return v.Show(http.StatusOK, "deployment",
		shell.Frame{Title: title, Section: "projects", Crumbs: crumbs, Live: true, Working: !u.Status.Ended()}, data)
}

// Group merges equal findings, groups them by the file of their first position, and counts them.
func Group(b *shell.Board, list []client.Diagnostic) (files []fileFindings, found string, unshown, errors int) {
	at := map[string]int{}
	for i, d := range shell.GroupFindings(list) {
		if d.Severity == "error" {
			errors += d.Times
		}
		if i >= maxFindings {
			unshown += d.Times
			continue
		}
		n, ok := at[d.File]
		if !ok {
			n = len(files)
			at[d.File] = n
			files = append(files, fileFindings{File: d.File})
		}
		files[n].List = append(files[n].List, finding{d, helpFor(b, d.Code)})
	}
	var words []string
	if errors > 0 {
		words = append(words, shell.Count(errors, "error"))
	}
	if n := len(list) - errors; n > 0 {
		words = append(words, shell.Count(n, "warning"))
	}
	return files, strings.Join(words, " and "), unshown, errors
}

// helpFor returns the URL of the documentation for a finding's code. Browsers scroll to the text fragment with the
// code, in which a hyphen must be escaped.
func helpFor(b *shell.Board, code string) string {
	if b.DocsURL == "" {
		return ""
	}
	return strings.TrimRight(b.DocsURL, "/") + "/reference/findings#:~:text=" + strings.ReplaceAll(code, "-", "%2D")
}
