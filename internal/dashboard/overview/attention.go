package overview

import (
	"fmt"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/jobpage"
	"github.com/lectern-docs/lectern/internal/dashboard/settings"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/dashboard/sitepage"
)

// failures returns the latest failed updates, exports and agent jobs.
func (s overviewData) failures(sites []siteCard) (out []notice) {
	for _, c := range sites {
		if c.Failed() {
			more := c.Reason
			if c.Found != "" {
				more += " Findings: " + c.Found + "."
			}
			out = append(out, notice{State: "failure", Text: "The last update of " + c.Name + " failed.", More: more,
				Path: shell.DeploymentPath(c.LastUpdate.StatusID)})
		}
	}
	seen := map[string]bool{} // domains whose newest export was already handled
	for _, j := range s.exports {
		if j.Status == client.ExportStatusFailed && !seen[j.Domain] && s.hasSite(j.Domain) {
			out = append(out, notice{State: "failed", Text: "The last export of " + j.Domain + " failed.",
				More: shell.Text(j.Error), Path: jobpage.ExportsPath + "/" + j.JobID,
				At: j.UpdatedAt})
		}
		seen[j.Domain] = true
	}
	return out
}

// hasSite reports whether a project has the domain. It returns true if there are more projects than were loaded.
func (s overviewData) hasSite(domain string) bool {
	return len(s.projects) >= overviewSites || slices.ContainsFunc(s.projects, func(p client.Project) bool {
		return slices.Contains(p.Domains, domain)
	})
}

// expiresSoon is how long before its expiry a key is shown as expiring soon.
const expiresSoon = 7 * 24 * time.Hour

// decisions returns everything that requires a user's decision.
func (s overviewData) decisions(v *shell.Visit, now time.Time) (out []notice) {
	for _, p := range s.projects {
		for _, one := range s.open[p.ProjectID] {
			out = append(out, notice{State: "open",
				Text: fmt.Sprintf("Proposal %d for %s: %s", one.Number, p.Name, one.Title),
				Path: shell.ProjectPath(p.ProjectID, shell.ProposalsPath+"/"+one.ID), At: one.CreatedAt})
		}
	}
	for _, k := range s.keys {
		if k.RevokedAt == nil && k.ExpiresAt != nil && now.Before(*k.ExpiresAt) && k.ExpiresAt.Sub(now) < expiresSoon {
			name := k.Label
			if name == "" {
				name = k.Prefix + "…"
			}
			out = append(out, notice{State: "warning",
				Text: "The API key " + name + " expires " + shell.Relative(*k.ExpiresAt, now) + ".",
				More: "Create another one and replace this one where it is used.", Path: settings.KeysPath})
		}
	}
	return out
}

// running returns the work in progress.
func (s overviewData) running() (out []notice) {
	for _, p := range s.projects {
		if p.LastUpdate != nil && !p.LastUpdate.Status.Ended() {
			out = append(out, notice{State: string(p.LastUpdate.Status), Text: "Update of " + p.Name,
				Path: shell.DeploymentPath(p.LastUpdate.StatusID)})
		}
		for _, j := range s.jobs[p.ProjectID] {
			if j.Status == client.AgentJobStatusActive {
				out = append(out, notice{State: string(j.Status), Text: "Agent job on " + p.Name,
					More: shell.Text(j.Title),
					Path: shell.ProjectPath(p.ProjectID, shell.AgentPath+"/"+j.ID), At: j.CreatedAt})
			}
		}
	}
	for _, j := range s.exports {
		if !j.Status.Ended() {
			out = append(out, notice{State: string(j.Status), Text: "Export of " + j.Domain, More: j.Message,
				Path: jobpage.ExportsPath + "/" + j.JobID, At: j.CreatedAt})
		}
	}
	return out
}

// activity is an entry of the recent activity.
type activity struct {
	Who  string // "" = no particular person
	Text string
	Path string // "" = no link
	At   time.Time
}

// recent lists recent activity: the newest audit records for users who may read them, otherwise deployments and
// exports.
func recent(v *shell.Visit, s overviewData) (out []activity, err error) {
	if v.May(shell.Admin) {
		list, err := v.API.ListEvents(v.Ctx(), client.ListEventsParams{Limit: overviewRecent})
		if err != nil {
			return nil, err
		}
		names := map[string]string{}
		for _, p := range s.projects {
			names[p.ProjectID] = p.Name
		}
		for _, e := range list.Events {
			who, did := settings.EventWords(e, names)
			out = append(out, activity{Who: who, Text: did, At: e.At})
		}
		return out, nil
	}
	for _, p := range s.projects[:min(len(s.projects), overviewDeep)] {
		list, err := v.API.ListDeployments(v.Ctx(), p.ProjectID,
			client.ListDeploymentsParams{Limit: sitepage.LatestDeployments})
		if vanished(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, d := range list.Deployments {
			out = append(out, activity{Text: deploymentWords(p.Name, d), Path: shell.DeploymentPath(d.StatusID),
				At: d.CreatedAt})
		}
	}
	for _, j := range s.exports {
		out = append(out, activity{Text: "Export of " + j.Domain + ": " + string(j.Status),
			Path: jobpage.ExportsPath + "/" + j.JobID, At: j.CreatedAt})
	}
	slices.SortStableFunc(out, func(a, b activity) int { return b.At.Compare(a.At) })
	return out[:min(len(out), overviewRecent)], nil
}

func deploymentWords(project string, d client.DeploymentSummary) string {
	what := "Update of " + project
	if d.Kind == "preview" {
		what = "Preview of " + project + ", branch " + shell.Text(d.Branch)
	}
	switch d.Status {
	case client.UpdateStateSuccess:
		return what + ": published, " + shell.Count(d.PageCount, "page")
	case client.UpdateStateFailure:
		return what + ": failed"
	case client.UpdateStateQueued:
		return what + ": queued"
	}
	return what + ": in progress"
}
