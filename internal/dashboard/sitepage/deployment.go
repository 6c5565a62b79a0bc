package sitepage

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// deploymentsPage is the list of a project's deployments.
type deploymentsPage struct {
	Trouble *shell.Trouble // of the form that was just sent; nil = none
	Project client.Project
	Tabs    []shell.Tab
	List    shell.Listing[client.DeploymentSummary]
}

func listDeployments(b *shell.Board, v *shell.Visit) error {
	return showDeployments(v, http.StatusOK, nil)
}

func showDeployments(v *shell.Visit, status int, t *shell.Trouble) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	list, err := listOf(v, p.ProjectID, "deployments", "production")
	if err != nil {
		return err
	}
	data := deploymentsPage{t, *p, shell.ProjectTabs(v, p.ProjectID, "Deployments"), list}
	f := shell.Frame{Title: "Deployments of " + p.Name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID), Live: true, Working: underWay(list.Rows)}
	return v.Show(status, "deployments", f, data)
}

// listOf reads the deployments of a kind that the address asks for.
func listOf(v *shell.Visit, projectID, noun string, kind client.DeploymentKind) (
	shell.Listing[client.DeploymentSummary], error) {
	return shell.List(v, shell.Listed[client.DeploymentSummary]{Noun: noun, Columns: deploymentColumns(kind),
		Newest: "started", Size: 25,
		Text: func(d client.DeploymentSummary) string {
			return strings.Join([]string{d.StatusID, shell.Text(d.Commit), shell.Text(d.CommitMessage),
				shell.Text(d.CommitAuthor), shell.Text(d.Branch), shell.Actor(d.StartedBy), shell.Text(d.Error)}, " ")
		},
		States: []string{"success", "failure", "in_progress", "queued"},
		State:  func(d client.DeploymentSummary) string { return string(d.Status) },
		Load: func(_, cursor string, limit int) ([]client.DeploymentSummary, string, error) {
			page, err := v.API.ListDeployments(v.Ctx(), projectID,
				client.ListDeploymentsParams{Kind: kind, Cursor: cursor, Limit: limit})
			if err != nil {
				return nil, "", err
			}
			return page.Deployments, shell.Text(page.NextCursor), nil
		}})
}

// deploymentColumns are those of the lists of deployments and of previews.
func deploymentColumns(kind client.DeploymentKind) []shell.Column[client.DeploymentSummary] {
	type row = client.DeploymentSummary
	state := shell.Column[row]{Key: "state", Label: "State", Compare: func(a, b row) int {
		return strings.Compare(string(a.Status), string(b.Status))
	}}
	started := shell.Column[row]{Key: "started", Label: "Started", Down: true, Compare: func(a, b row) int {
		return a.CreatedAt.Compare(b.CreatedAt)
	}}
	if kind == "preview" {
		return []shell.Column[row]{{Key: "branch", Label: "Branch", Compare: func(a, b row) int {
			return strings.Compare(shell.Text(a.Branch), shell.Text(b.Branch))
		}}, state, {Label: "Address"}, {Label: "Commit"}, started}
	}
	return []shell.Column[row]{{Label: "Deployment"}, state,
		{Key: "pages", Label: "Pages", Down: true, Compare: func(a, b row) int { return a.PageCount - b.PageCount }},
		started,
		{Key: "took", Label: "Took", Down: true, Compare: func(a, b row) int { return cmp.Compare(took(a), took(b)) }}}
}

// took is how long a deployment lasted; 0 while it is not known.
func took(d client.DeploymentSummary) time.Duration {
	if d.EndedAt == nil {
		return 0
	}
	return d.EndedAt.Sub(d.CreatedAt)
}

// underWay reports whether one of the deployments has not ended.
func underWay(list []client.DeploymentSummary) bool {
	for _, d := range list {
		if !d.Status.Ended() {
			return true
		}
	}
	return false
}

func rollBack(b *shell.Board, v *shell.Visit) error {
	projectID := v.R.PathValue("projectId")
	if _, err := v.API.RollBack(v.Ctx(), projectID, client.RollBack{DeploymentID: v.Field("deployment")}); err != nil {
		if t := shell.Refusal(err); t != nil {
			return showDeployments(v, t.Status, t)
		}
		return err
	}
	return v.Done(shell.ProjectPath(projectID, "/deployments"), "rolled-back")
}

// What a page shows of a deployment; an author sees the rest by lectern check.
const (
	maxFindings = 500
	maxLogLines = 1000
)

// deploymentPage is one deployment.
type deploymentPage struct {
	client.UpdateStatus
	Project         client.Project
	Live            bool // whether readers see it
	Preview         bool
	May             bool   // whether it could go live by a roll-back
	Found           string // how many findings there are, in words; "" = none
	Files           []fileFindings
	Unshown         int // findings that the page leaves out
	Earlier         int // lines of the log that the page leaves out
	Lines           []client.LogLine
	ErrorCount      int
	RollBackExample string
	Held            bool // it failed because pages would vanish, and may be confirmed
	ConfirmExample  string
	Later           string // id of a newer update that was published, after which a failure is history; "" = none
	Title           string // first line of the commit's message; "" = unknown
}

// fileFindings are a file's findings.
type fileFindings struct {
	File string // "" = the site as a whole
	List []finding
}

// finding is a diagnostic with where to read about it.
type finding struct {
	client.Diagnostic
	Help string // address of the reference; "" = our docs are published nowhere
}

// Where is the finding's place, as compilers write it.
func (f finding) Where() string {
	out := f.File
	for _, n := range []int{f.Line, f.Column} {
		if n == 0 {
			break
		}
		out += fmt.Sprint(":", n)
	}
	return out
}

func showDeployment(b *shell.Board, v *shell.Visit) error {
	u, err := v.API.GetUpdateStatus(v.Ctx(), v.R.PathValue("statusId"))
	if err != nil {
		return err
	}
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

// Group puts findings together by their file, in the order of the first of each, and counts them.
func Group(b *shell.Board, list []client.Diagnostic) (files []fileFindings, found string, unshown, errors int) {
	at := map[string]int{}
	for i, d := range list {
		if d.Severity == "error" {
			errors++
		}
		if i >= maxFindings {
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
	return files, strings.Join(words, " and "), max(len(list)-maxFindings, 0), errors
}

// helpFor is the address of what the docs say about a finding's code. Browsers scroll to the code itself; a hyphen
// means something else to them there.
func helpFor(b *shell.Board, code string) string {
	if b.DocsURL == "" {
		return ""
	}
	return strings.TrimRight(b.DocsURL, "/") + "/reference/findings#:~:text=" + strings.ReplaceAll(code, "-", "%2D")
}
