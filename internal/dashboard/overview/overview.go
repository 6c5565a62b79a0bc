package overview

import (
	"net/http"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/audiencepage"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/dashboard/sitepage"
)

// Limits of the overview. It is rendered again after every change, so it must be cheap.
const (
	overviewSites  = 100 // projects loaded
	overviewCards  = 12  // projects shown
	overviewDeep   = 6   // projects whose agent jobs, proposals and deployments are loaded
	overviewFailed = 5   // failed updates whose findings are counted
	overviewRecent = 10  // entries of recent activity
)

// overviewData is the data loaded for the overview.
type overviewData struct {
	projects []client.Project
	exports  []client.ExportJob
	exporter bool // whether the organization's plan includes static exports
	jobs     map[string][]client.AgentJob
	open     map[string][]client.Proposal // open proposals by project
	keys     []client.Key                 // nil if the user may not see them
	members  int
	invited  int
}

// overviewPage is the data of the template.
type overviewPage struct {
	Sites     []siteCard
	MoreSites bool
	Attention []notice
	Running   []notice
	Recent    []activity
	Events    bool // whether Recent is the audit log
	Steps     []firstStep
	StepsLeft int
}

// Show shows the overview.
func Show(b *shell.Board, v *shell.Visit) error {
	s, err := loadData(v)
	if err != nil {
		return err
	}
	data := overviewPage{MoreSites: len(s.projects) > overviewCards, Running: s.running(), Events: v.May(shell.Admin),
		Steps: s.firstSteps(v)}
	if data.Sites, err = sites(v, s); err != nil {
		return err
	}
	if err = readers(v, data.Sites); err != nil {
		return err
	}
	data.Attention = append(s.failures(data.Sites), s.decisions(v, b.Now())...)
	if data.Recent, err = recent(v, s); err != nil {
		return err
	}
	for _, step := range data.Steps {
		if !step.Done {
			data.StepsLeft++
		}
	}
	return v.Show(http.StatusOK, "overview",
		shell.Frame{Title: "Overview", Section: "overview", Live: true, Working: len(data.Running) > 0}, data)
}

// loadData loads the data for the overview from the API.
func loadData(v *shell.Visit) (s overviewData, err error) {
	projects, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: overviewSites})
	if err != nil {
		return s, err
	}
	s.projects, s.jobs, s.open = projects.Projects, map[string][]client.AgentJob{}, map[string][]client.Proposal{}
	for _, p := range s.projects[:min(len(s.projects), overviewDeep)] {
		if err := loadAgents(v, &s, p.ProjectID); err != nil && !vanished(err) {
			return s, err
		}
	}
	exports, err := v.API.ListExports(v.Ctx(), client.ListExportsParams{Limit: overviewRecent})
	switch pageErr := shell.FormError(err); {
	case err == nil:
		s.exports, s.exporter = exports.Jobs, true
	case pageErr == nil || pageErr.Code != "plan_required":
		return s, err
	}
	return s, loadPeople(v, &s)
}

func loadAgents(v *shell.Visit, s *overviewData, projectID string) error {
	jobs, err := v.API.ListAgentJobs(v.Ctx(), projectID, client.ListAgentJobsParams{Limit: overviewRecent})
	if err != nil {
		return err
	}
	proposals, err := v.API.ListProposals(v.Ctx(), projectID, client.ListProposalsParams{Limit: overviewRecent})
	if err != nil {
		return err
	}
	s.jobs[projectID] = jobs.Jobs
	s.open[projectID] = slices.DeleteFunc(proposals.Proposals,
		func(p client.Proposal) bool { return p.State != "open" })
	return nil
}

// vanished reports whether err is a not-found error: an entry was deleted while the page was being built. The page is
// shown without it.
func vanished(err error) bool {
	return err != nil && shell.NewPageError(err).Status == http.StatusNotFound
}

// loadPeople loads keys and members, if the user may see them.
func loadPeople(v *shell.Visit, s *overviewData) error {
	if !v.InOrganization(shell.Viewer) {
		return nil
	}
	members, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return err
	}
	s.members = len(members.Members)
	if !v.May(shell.Admin) {
		return nil
	}
	keys, err := v.API.ListKeys(v.Ctx(), client.ListKeysParams{Limit: overviewSites})
	if err != nil {
		return err
	}
	invited, err := v.API.ListInvitations(v.Ctx())
	if err != nil {
		return err
	}
	s.keys, s.invited = keys.Keys, len(invited.Invitations)
	return nil
}

// siteCard is the state of a site.
type siteCard struct {
	sitepage.ProjectRow
	Reason string             // why the newest update failed; "" = it did not fail, or the reason was not loaded
	Found  string             // summary of its findings
	Week   *audiencepage.Week // nil = not counted
}

// Failed reports whether the newest update failed.
func (c siteCard) Failed() bool { return c.State() == string(client.UpdateStateFailure) }

// sites returns the cards of all projects, failed ones first.
func sites(v *shell.Visit, s overviewData) ([]siteCard, error) {
	cards := make([]siteCard, 0, len(s.projects))
	looked := 0
	for _, row := range sitepage.ProjectRows(s.projects) {
		c := siteCard{ProjectRow: row}
		if c.Failed() && looked < overviewFailed {
			looked++
			u, err := v.API.GetUpdateStatus(v.Ctx(), c.LastUpdate.StatusID)
			if vanished(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c.Reason = shell.Text(u.Error)
			_, c.Found, _, _ = sitepage.Group(v.B, u.Diagnostics)
		}
		cards = append(cards, c)
	}
	slices.SortStableFunc(cards, func(a, b siteCard) int {
		switch {
		case a.Failed() == b.Failed():
			return 0
		case a.Failed():
			return -1
		}
		return 1
	})
	return cards[:min(len(cards), overviewCards)], nil
}

// notice is a message for the user, with a link.
type notice struct {
	State string // text of its badge
	Text  string
	More  string // secondary text
	Path  string
	At    time.Time // zero = none
}
