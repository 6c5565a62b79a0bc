package adminapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

func showExport(j export.Job) client.ExportJob {
	out := client.ExportJob{JobID: j.ID, Status: client.ExportStatus(j.Status), Progress: j.Progress,
		PageCount: j.PageCount, CreatedAt: stamp(j.CreatedAt), UpdatedAt: stamp(j.UpdatedAt), Domain: j.Domain,
		Version: orNull(j.Version), Error: orNull(j.Error), ErrorCode: orNull(j.ErrorCode),
		Stage: client.ExportStage(j.Stage), Message: j.Sentence(), Diagnostics: showDiagnostics(j.Diagnostics),
		ReusedFrom: orNull(j.ReusedFrom), BundleExpiredAt: stampOrNull(j.ExpiredAt),
		Groups: append([]string{}, j.Groups...)}
	if n := j.Total(); n > 0 {
		out.PageTotal = &n
	}
	if j.PagesPerSecond > 0 {
		out.PagesPerSecond = &j.PagesPerSecond
	}
	if left := 0; j.Status == export.Completed {
		out.SecondsLeft = &left
	} else if j.Left != nil {
		left = apierror.Seconds(*j.Left)
		out.SecondsLeft = &left
	}
	return out
}

// showDiagnostics converts a build's findings to the API's form.
func showDiagnostics(list diag.List) []client.Diagnostic {
	out := []client.Diagnostic{}
	for _, d := range list {
		out = append(out, client.Diagnostic{File: d.File, Line: d.Line, Column: d.Column, Severity: string(d.Severity),
			Code:    d.Code,
			Message: d.Message, Hint: d.Hint})
	}
	return out
}

func exportLocation(jobID string) string { return "/v1/static-export/jobs/" + jobID }

func (a *api) startExport(c *call) (response, error) {
	var in struct {
		Domain  string   `json:"domain" required:"true"`
		Version string   `json:"version"`
		Paths   []string `json:"paths"`
		Groups  []string `json:"groups"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	want := export.Job{OrganizationID: c.org()}
	var err error
	if want.Domain, err = project.CleanDomain(in.Domain); err != nil {
		return response{}, err
	}
	if want.Version, err = export.CleanVersion(in.Version); err != nil {
		return response{}, err
	}
	if want.Paths, err = export.CleanPaths(in.Paths); err != nil {
		return response{}, err
	}
	if want.Groups, err = export.CleanGroups(in.Groups); err != nil {
		return response{}, err
	}
	// Check again here, because doOnce may return the response to another caller's request.
	if p := c.principal; p.ByMember() && !p.Member.Role.AtLeast(c.route.Role) {
		if _, err := a.findExported(c, a.Store, want.Domain); err != nil {
			return response{}, err
		}
	}
	made, replayed, err := doOnce(a, c, http.StatusAccepted,
		func(tx *store.Tx) (client.ExportJob, error) { return a.queueExport(c, tx, want) })
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: made, location: exportLocation(made.JobID), poll: true,
		replayed: replayed}, nil
}

// queueExport stores the job for the site on its domain. Another organization's domain is reported as unknown, like a
// domain that does not exist.
func (a *api) queueExport(c *call, tx *store.Tx, want export.Job) (client.ExportJob, error) {
	p, err := a.findExported(c, tx, want.Domain)
	if err != nil {
		return client.ExportJob{}, err
	}
	// What is live at this moment is what is exported, however long the job waits.
	want.ProjectID, want.DeploymentID = p.ID, p.LiveID
	if want.Version == "" && p.LiveID != "" { // otherwise the worker sets it once it has fetched the source
		live, err := tx.FindDeploymentByID(c.ctx(), p.LiveID)
		if err != nil {
			return client.ExportJob{}, err
		}
		want.Version = export.Label(live.Commit, want.Paths, want.Groups)
	}
	j, joined, err := tx.QueueExport(c.ctx(), want.Identify(a.ExportMaking), a.ExportLimits)
	if err != nil {
		return client.ExportJob{}, err
	}
	out, action, data := showExport(j), "export.start",
		map[string]string{"domain": j.Domain, "project": p.ID, "version": j.Version}
	if len(j.Groups) > 0 {
		data["groups"] = strings.Join(j.Groups, ", ")
	}
	if joined {
		out.Joined, action = true, "export.join"
	} else if j.ReusedFrom != "" {
		data["reusedFrom"] = j.ReusedFrom
	}
	return out, tx.Record(c.ctx(), a.event(c, action, j.ID, data))
}

// findExported returns the project on a domain, if the caller may export it.
func (a *api) findExported(c *call, in interface {
	FindProjectByDomain(ctx context.Context, domain string) (project.Project, error)
}, domain string) (project.Project, error) {
	unknown := fault.New(fault.NotFound, "unknown_domain", "The organization has no site on this domain.").
		WithField("domain").WithHint("GET /v1/projects lists the organization's sites and their domains.")
	p, err := in.FindProjectByDomain(c.ctx(), domain)
	if fault.Is(err, fault.NotFound) || err == nil && p.OrganizationID != c.org() {
		return p, unknown
	}
	if err != nil {
		return p, err
	}
	return p, a.permitIn(c, p.ID, unknown)
}

func (a *api) listExports(c *call) (response, error) {
	p, err := c.page()
	if err != nil {
		return response{}, err
	}
	var status export.Status
	if v := c.r.URL.Query().Get("status"); v != "" {
		if status, err = export.ParseStatus(v); err != nil {
			return response{}, err
		}
	}
	list, next, err := a.Store.ListExports(c.ctx(), c.org(), status, p)
	if err != nil {
		return response{}, err
	}
	body := client.ExportJobList{Jobs: []client.ExportJob{}, NextCursor: orNull(next)}
	for _, j := range list {
		body.Jobs = append(body.Jobs, showExport(j))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// getExport reads and encodes a job only once for all callers that poll it at the same time.
func (a *api) getExport(c *call) (response, error) {
	org, jobID := c.org(), c.pathID("jobId", id.Export)
	return a.polled.Do(c.ctx(), org+" "+jobID, func(ctx context.Context) (response, error) {
		j, err := a.Store.FindExport(ctx, org, jobID)
		if err != nil {
			return response{}, err
		}
		body, err := encode(showExport(j))
		return response{status: http.StatusOK, body: json.RawMessage(body), tag: etag(body), poll: !j.Status.Ended()}, err
	})
}

func (a *api) cancelExport(c *call) (response, error) {
	var j export.Job
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if j, err = tx.CancelExport(c.ctx(), c.org(), c.pathID("jobId", id.Export), c.who()); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "export.cancel", j.ID, nil))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showExport(j), poll: !j.Status.Ended()}, nil
}

func (a *api) createExportBundle(c *call) (response, error) {
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	format, err := export.ParseFormat(q.Get("format"))
	if err != nil {
		return response{}, err
	}
	j, err := a.Store.FindExport(c.ctx(), c.org(), c.pathID("jobId", id.Export))
	if err != nil {
		return response{}, err
	}
	b, err := j.Bundle(format)
	if err != nil {
		return response{}, err
	}
	link, err := a.Blob.Link(blob.WithBaseURL(c.ctx(), a.baseURL(c)), b.Key, bundleName(j, format), a.LinkLife)
	if err != nil {
		return response{}, err
	}
	// Anyone with the link can download the bundle, so the audit log records that the link was created, but not the
	// link itself, which is a secret.
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		now, err := tx.NoteExportLink(c.ctx(), c.org(), j.ID, link.ExpiresAt)
		if err == nil {
			_, err = now.Bundle(format) // it may have been removed since
		}
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "export.link", j.ID,
			map[string]string{"format": string(format), "expiresAt": stamp(link.ExpiresAt).Format(time.RFC3339)}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK,
		body: client.BundleLink{JobID: j.ID, BundleURL: link.URL, ExpiresAt: stamp(link.ExpiresAt),
			SizeBytes: b.Size, SHA256: b.SHA256, Version: orNull(j.Version), Format: client.BundleFormat(format)}}, nil
}

// who describes the caller to people in the same organization: the member's address, the key's label, or its id.
func (c *call) who() string {
	if c.principal.ByMember() {
		return c.principal.Member.Email
	}
	if label := c.principal.Key.Label; label != "" {
		return "the key “" + label + "”"
	}
	return "the key " + c.principal.Key.ID
}

const shortCommit = 12 // characters

// bundleName returns the file name of a bundle: the domain, and the version or the start of the commit.
func bundleName(j export.Job, f export.Format) string {
	label := j.Version
	if label == "" {
		label = j.Commit[:min(len(j.Commit), shortCommit)]
	}
	label = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, label)
	name := strings.ReplaceAll(j.Domain, "/", "-")
	if label = strings.Trim(label, ".-"); label != "" {
		name += "-" + label[:min(len(label), 100)]
	}
	return name[:min(len(name), 240)] + "." + string(f)
}
