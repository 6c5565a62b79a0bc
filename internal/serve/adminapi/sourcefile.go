package adminapi

import (
	"context"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

// SourceFiles reads projects' docs folders at the newest commit. Paths are relative to the docs folder.
type SourceFiles interface {
	// List returns the names in a folder, with a trailing slash for folders; more reports whether the list is
	// truncated.
	List(ctx context.Context, p project.Project, folder string) (commit string, names []string, more bool, err error)
	// Read returns a file. For a missing file or a link, it returns a fault of kind NotFound.
	Read(ctx context.Context, p project.Project, path string) (commit string, data []byte, err error)
}

var errNoSourceFiles = fault.New(fault.Unavailable, "no_source_files", "This server does not read sources.")

// sourceProject returns the project for a request for source files.
func (a *api) sourceProject(c *call) (project.Project, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err == nil && a.SourceFiles == nil {
		err = errNoSourceFiles
	}
	return p, err
}

func (a *api) listSourceFiles(c *call) (response, error) {
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	p, err := a.sourceProject(c)
	if err != nil {
		return response{}, err
	}
	commit, names, more, err := a.SourceFiles.List(c.ctx(), p, q.Get("folder"))
	if err != nil {
		return response{}, err
	}
	if names == nil {
		names = []string{}
	}
	return response{status: http.StatusOK, body: client.SourceFileList{Commit: commit, Files: names, Truncated: more}}, nil
}

func (a *api) getSourceFile(c *call) (response, error) {
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	p, err := a.sourceProject(c)
	if err != nil {
		return response{}, err
	}
	path := q.Get("path")
	if path == "" {
		return response{}, fault.New(fault.Invalid, "missing_field", "path is missing.").WithField("path")
	}
	commit, data, err := a.SourceFiles.Read(c.ctx(), p, path)
	if err != nil {
		return response{}, err
	}
	if !utf8.Valid(data) {
		return response{}, fault.New(fault.Invalid, "invalid_field", "The file is not text.").WithField("path")
	}
	return response{status: http.StatusOK, body: client.SourceFile{Commit: commit, Path: path, Text: string(data)}}, nil
}

// submitEdit stores an edit made by another program as a job. A worker applies it just like changes made by an agent.
func (a *api) submitEdit(c *call) (response, error) {
	want, jobID, edit, err := a.readEdit(c)
	if err != nil {
		return response{}, err
	}
	calls, err := edit.Calls()
	if err != nil {
		return response{}, err
	}
	if err := a.refuseSecrets(c.ctx(), c.org(), calls, edit); err != nil {
		return response{}, err
	}
	prompt := agentjob.Entry{Author: c.principal.Actor(), Text: edit.Prompt()}
	made, replayed, err := doOnce(a, c, http.StatusCreated, func(tx *store.Tx) (client.AgentJob, error) {
		p, err := tx.FindProject(c.ctx(), c.org(), want.ProjectID)
		if err != nil {
			return client.AgentJob{}, err
		}
		if err := checkFolderBranch(p, want.Base); err != nil {
			return client.AgentJob{}, err
		}
		want.Repository = p.Source.URL()
		j, err := tx.SubmitEdit(c.ctx(), want, jobID, prompt, calls)
		if err != nil {
			return client.AgentJob{}, err
		}
		return showAgentJob(j), tx.Record(c.ctx(), a.event(c, "agent.edit", j.ID, markDryRun(j, map[string]string{"project": p.ID,
			"changes": fmt.Sprint(len(edit.Changes))})))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: a.openable(c, want.ProjectID, made),
		location: "/v2/agent/" + want.ProjectID + "/job/" + made.ID, poll: true, replayed: replayed}, nil
}

// readEdit parses the request body for a submitted edit.
func (a *api) readEdit(c *call) (want agentjob.Job, jobID string, edit agentjob.Edit, err error) {
	var in struct {
		Title   string  `json:"title" required:"true"`
		Reason  string  `json:"reason" required:"true"`
		Branch  *string `json:"branch"`
		JobID   string  `json:"jobId"`
		AsDraft bool    `json:"asDraft"`
		DryRun  bool    `json:"dryRun"`
		Changes []struct {
			Path   string  `json:"path" required:"true"`
			Text   *string `json:"text"`
			Old    *string `json:"old"`
			New    *string `json:"new"`
			Delete bool    `json:"delete"`
		} `json:"changes" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return want, "", edit, err
	}
	edit = agentjob.Edit{Title: in.Title, Reason: in.Reason}
	for _, ch := range in.Changes {
		edit.Changes = append(edit.Changes, agentjob.EditChange(ch))
	}
	if err := edit.Check(); err != nil {
		return want, "", edit, err
	}
	if want.Base, err = a.baseBranch(in.Branch); err != nil {
		return want, "", edit, err
	}
	if in.JobID != "" && want.Base != "" {
		return want, "", edit, fault.New(fault.Invalid, "invalid_field", "branch and jobId cannot be combined.").
			WithField("branch")
	}
	if in.JobID != "" && in.DryRun {
		return want, "", edit, fault.New(fault.Invalid, "invalid_field", "dryRun and jobId cannot be combined.").
			WithField("dryRun").WithHint("A dry run starts from the branch that the edit is for. Omit jobId.")
	}
	if _, err = agentjob.ChooseModel(a.AgentModels, ""); err != nil { // with the agent off, no worker applies edits
		return want, "", edit, err
	}
	want.OrganizationID, want.ProjectID, want.Draft, want.DryRun = c.org(), c.pathID("projectId", id.Project), in.AsDraft, in.DryRun
	return want, in.JobID, edit, nil
}

// refuseSecrets keeps secrets out of the job's transcript, which is immutable.
func (a *api) refuseSecrets(ctx context.Context, organizationID string, calls []agentjob.Call, e agentjob.Edit) error {
	var secrets []string
	if a.Secrets != nil {
		var err error
		if secrets, err = a.Secrets(ctx, organizationID); err != nil {
			return fmt.Errorf("list secrets: %w", err)
		}
	}
	if !agent.HasSecret(secrets, calls) {
		return nil
	}
	return fault.New(fault.Invalid, "change_blocked", "The edit contains a secret, such as a key or a password.").
		WithField("changes").WithHint("Remove it, and revoke it if it was real.")
}
