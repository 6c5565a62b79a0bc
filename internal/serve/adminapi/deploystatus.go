package adminapi

import (
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

func (a *api) getUpdateStatus(c *call) (response, error) {
	d, err := a.Store.FindDeployment(c.ctx(), c.org(), c.pathID("statusId", id.Deployment))
	if err != nil {
		return response{}, err
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), d.ProjectID)
	if err != nil && !fault.Is(err, fault.NotFound) { // a deployment outlives its project for a while
		return response{}, err
	}
	names, err := a.deploymentNames(c, d)
	if err != nil {
		return response{}, err
	}
	body := a.showStatus(p, d)
	body.StartedBy, body.RestoredBy = actorOf(d.StartedBy, names), actorOf(d.RestoredBy, names)
	body.RestoredAt = stampOrNull(d.RestoredAt)
	return response{status: http.StatusOK, body: body, poll: !d.Status.Ended()}, nil
}

func (a *api) showStatus(p project.Project, d deploy.Deployment) client.UpdateStatus {
	out := client.UpdateStatus{ID: d.ID, StatusID: d.ID, ProjectID: d.ProjectID, Kind: string(d.Kind),
		Branch: orNull(d.Branch), Status: client.UpdateState(d.Status),
		Summary: summary(d), Commit: showCommit(d), Trigger: d.Trigger, Source: updateSource(d, p),
		Live: d.ID == p.LiveID, CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt),
		EndedAt:   stampOrNull(d.EndedAt),
		PageCount: d.PageCount, Logs: []string{}, LogLines: []client.LogLine{},
		Diagnostics: showDiagnostics(d.Diagnostics), Error: orNull(d.Error), Versions: showVersions(d.Versions),
		Translations: showTranslations(d.Translations)}
	if v := d.Versions; v != nil && out.Commit.Ref == "" && v.Find(v.Default) != nil {
		out.Commit.Ref = refversion.Short(v.Find(v.Default).Ref)
	}
	if out.Commit.Ref == "" {
		out.Commit.Ref = p.Source.Branch
	}
	if len(p.Domains) > 0 {
		out.Subdomain = p.Domains[0]
	}
	if d.Change.Author != "" {
		out.Author = &client.UpdateAuthor{Name: d.Change.Author}
	}
	for _, l := range d.Logs {
		out.Logs = append(out.Logs, l.Message)
		out.LogLines = append(out.LogLines, client.LogLine{At: stamp(l.At), Message: l.Message})
	}
	switch {
	case d.Status != deploy.Success:
	case d.Kind == deploy.Preview:
		out.URL = orNull(a.PreviewURL(d.ID))
	case len(p.Domains) > 0:
		out.URL = orNull(a.SiteURL(p.Domains[0]))
	}
	return out
}

// showVersions converts a site's branch and tag versions to the API's form; never nil.
func showVersions(v *deploy.Versions) []client.SiteVersion {
	out := []client.SiteVersion{}
	if v == nil {
		return out
	}
	for _, one := range v.List {
		out = append(out, client.SiteVersion{Name: one.Name, Ref: one.Ref, Commit: one.Commit, Default: one.Name == v.Default,
			Prerelease: one.Prerelease, Published: orNull(one.Built), PageCount: one.Pages, Error: orNull(one.Error)})
	}
	return out
}

// showTranslations converts the progress of a site's translations to the API's form; never nil.
func showTranslations(list []deploy.Translation) []client.TranslationState {
	out := []client.TranslationState{}
	for _, t := range list {
		one := client.TranslationState{Language: t.Language, Current: int64(t.Current), Stale: int64(t.Stale),
			Unmarked: int64(t.Unmarked), Missing: int64(t.Missing), Behind: []client.BehindPage{}, Truncated: t.Truncated}
		for _, p := range t.Behind {
			one.Behind = append(one.Behind, client.BehindPage{Path: p.Path, Source: p.Source, State: client.BehindState(p.State)})
		}
		out = append(out, one)
	}
	return out
}

// showCommit returns the known details of a deployment's commit.
func showCommit(d deploy.Deployment) client.UpdateCommit {
	c := d.Change
	return client.UpdateCommit{SHA: d.Commit, Ref: d.Branch, Message: c.Message, FilesChanged: client.UpdateFiles{
		Added: append([]string{}, c.Added...), Modified: append([]string{}, c.Modified...),
		Removed: append([]string{}, c.Removed...), Truncated: c.Truncated,
	}}
}

// summary describes the state of a deployment in one sentence: the reason for a failure, or the last line of its log.
func summary(d deploy.Deployment) string {
	switch n := len(d.Logs); {
	case d.Error != "":
		return d.Error
	case n > 0:
		return d.Logs[n-1].Message
	}
	return "Waiting for a worker."
}

// updateSource returns what started a deployment, in the terms of the API with which ours is compatible. The field
// trigger uses our own, more specific terms.
func updateSource(d deploy.Deployment, p project.Project) string {
	switch d.Trigger {
	case "api", deploy.Confirmed:
		return "api"
	case "start":
		return "onboarding"
	case "webhook":
		at, err := url.Parse(p.Source.URL())
		if err == nil && at.Hostname() == "github.com" {
			return "github"
		}
		if err == nil && at.Hostname() == "gitlab.com" {
			return "gitlab"
		}
	}
	return "internal"
}
