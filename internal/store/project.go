package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const projectColumns = `p.id, p.organization_id, p.name, p.source_path, p.repository, p.branch, p.credential, ` +
	`p.docs_folder, p.live_id, p.hook_version, p.pull_previews, p.created_at, p.updated_at`

func scanProject(s scanner) (project.Project, error) {
	var p project.Project
	var hook, created, updated int64
	err := s.Scan(&p.ID, &p.OrganizationID, &p.Name, &p.Source.Path, &p.Source.Repository, &p.Source.Branch,
		&p.Source.Credential, &p.DocsFolder, &p.LiveID, &hook, &p.PullPreviews, &created, &updated)
	p.HookVersion, p.CreatedAt, p.UpdatedAt = int(hook), fromMicros(created), fromMicros(updated)
	return p, err
}

var errUnknownProject = fault.New(fault.NotFound, "unknown_project", "Project not found.")

// UnknownProject returns the NotFound fault. It is for callers that must not reveal whether a project exists.
func UnknownProject() error { return errUnknownProject }

// CreateProject stores a project under a new id.
func (t *Tx) CreateProject(ctx context.Context, p project.Project) (project.Project, error) {
	p.ID, p.HookVersion = t.s.ids.New(id.Project), 1
	p.CreatedAt, p.UpdatedAt = t.now(), t.now()
	p.PullPreviews = cmp.Or(p.PullPreviews, project.PullsAll)
	_,
		err := t.q.exec(ctx,
		`INSERT INTO projects (id, organization_id, name, source_path, repository, branch, credential, docs_folder, created_at, updated_at, pull_previews)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		p.ID, p.OrganizationID, p.Name, p.Source.Path, p.Source.Repository, p.Source.Branch, p.Source.Credential,
		p.DocsFolder, micros(p.CreatedAt), micros(p.UpdatedAt), string(p.PullPreviews))
	if err != nil {
		return p, wrap("store project", err)
	}
	return p, t.setDomains(ctx, p)
}

// UpdateProject stores changes to a project's name, source, folder, domains and webhook version.
func (t *Tx) UpdateProject(ctx context.Context, p project.Project) (project.Project, error) {
	p.UpdatedAt = t.now()
	n,
		err := t.q.exec(ctx,
		`UPDATE projects SET name = $3, source_path = $4, repository = $5, branch = $6, credential = $7, `+
			`docs_folder = $8, hook_version = $9, updated_at = $10, pull_previews = $11
		WHERE organization_id = $1 AND id = $2`,
		p.OrganizationID, p.ID, p.Name, p.Source.Path, p.Source.Repository, p.Source.Branch, p.Source.Credential,
		p.DocsFolder, p.HookVersion, micros(p.UpdatedAt), string(cmp.Or(p.PullPreviews, project.PullsAll)))
	if err != nil {
		return p, wrap("update project", err)
	}
	if n == 0 {
		return p, errUnknownProject
	}
	return p, t.setDomains(ctx, p)
}

// DeleteProject deletes a project together with its deployments and proposals. Its exports and agent jobs are kept, and
// its domains remain reserved. Running work is canceled, queued work is dropped, and open agent jobs are archived.
func (t *Tx) DeleteProject(ctx context.Context, organizationID, projectID string) error {
	// locked so that a domain proof that arrives at the same time is not lost
	if err := t.lockOrganization(ctx, organizationID); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx,
		`UPDATE tasks SET cancel_asked = TRUE, state = CASE WHEN state = 'queued' THEN 'done' ELSE state END
		WHERE id IN (SELECT id FROM tasks WHERE state <> 'done' AND id IN (SELECT id FROM deployments `+
			`WHERE organization_id = $1 AND project_id = $2) ORDER BY `+
			`id`+t.forUpdate()+`)`, organizationID, projectID); err != nil {
		return wrap("stop deployments", err)
	}
	if err := t.archiveAgentJobsOf(ctx, organizationID, projectID); err != nil {
		return err
	}
	domains, err := t.ListProjectDomains(ctx, projectID)
	if err != nil {
		return err
	}
	for _, d := range domains {
		if d.OrganizationID != organizationID {
			return errUnknownProject
		}
		if err := t.giveUpDomain(ctx, d); err != nil {
			return err
		}
	}
	n, err := t.q.exec(ctx, `DELETE FROM projects WHERE organization_id = $1 AND id = $2`, organizationID, projectID)
	if err == nil && n == 0 {
		return errUnknownProject
	}
	return wrap("delete project", err)
}

// FindProject returns a project of the organization. A project of another organization is reported as not found (A8).
func (r reads) FindProject(ctx context.Context, organizationID, projectID string) (project.Project, error) {
	return r.oneProject(ctx, `p.organization_id = $1 AND p.id = $2`, organizationID, projectID)
}

// FindProjectByID returns a project. It is for background work and for webhooks, which a signature authenticates.
func (r reads) FindProjectByID(ctx context.Context, projectID string) (project.Project, error) {
	return r.oneProject(ctx, `p.id = $1`, projectID)
}

// FindProjectByDomain returns the project that holds a domain. Pending claims do not count.
func (r reads) FindProjectByDomain(ctx context.Context, domain string) (project.Project, error) {
	return r.oneProject(ctx, `p.id = (SELECT project_id FROM project_domains WHERE domain = $1)`, domain)
}

func (r reads) oneProject(ctx context.Context, where string, args ...any) (project.Project, error) {
	p, err := single(ctx, r.q, scanProject, `SELECT `+projectColumns+` FROM projects p WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return p, errUnknownProject
	}
	if err != nil {
		return p, wrap("find project", err)
	}
	one := []project.Project{p}
	err = r.fillDomains(ctx, one)
	return one[0], err
}

// fillDomains sets the held and pending domains of all projects in list, in place and with a single query.
func (r reads) fillDomains(ctx context.Context, list []project.Project) error {
	if len(list) == 0 {
		return nil
	}
	byID, ids := map[string]*project.Project{}, make([]string, len(list))
	for i, p := range list {
		byID[p.ID], ids[i] = &list[i], p.ID
	}
	found, err := r.ListProjectDomains(ctx, ids...)
	for _, d := range found {
		byID[d.ProjectID].Domains = append(byID[d.ProjectID].Domains, d.Name)
	}
	return err
}

// ListLocalProjects returns the projects of all organizations whose source is on the server's own disk, oldest
// first, without their domains.
func (r reads) ListLocalProjects(ctx context.Context) ([]project.Project, error) {
	list, err := collect(ctx, r.q, scanProject, `SELECT `+projectColumns+` FROM projects p
		WHERE p.source_path <> '' OR p.repository LIKE '/%' OR LOWER(p.repository) LIKE 'file:%' ORDER BY p.created_at, p.id`)
	return list, wrap("list local projects", err)
}

// ListProjectsByCredential returns the projects of all organizations that refer to a credential, oldest first,
// without their domains.
func (r reads) ListProjectsByCredential(ctx context.Context, name string) ([]project.Project, error) {
	list, err := collect(ctx, r.q, scanProject,
		`SELECT `+projectColumns+` FROM projects p WHERE p.credential = $1 ORDER BY p.created_at, p.id`, name)
	return list, wrap("list projects of credential", err)
}

// ListProjects returns a page of an organization's projects, newest first, and the cursor of the next page, or "" if
// there is none.
func (r reads) ListProjects(ctx context.Context, organizationID string, pg Page) ([]project.Project, string, error) {
	at, after, err := pg.place()
	if err != nil {
		return nil, "", err
	}
	within, args := pg.within("p.id", organizationID, at, after, pg.Limit+1)
	list, err := collect(ctx, r.q, scanProject,
		`SELECT `+projectColumns+` FROM projects p WHERE p.organization_id = $1 AND (p.created_at, p.id) < ($2, $3)`+
			within+` ORDER BY p.created_at DESC, p.id DESC LIMIT $4`, args...)
	if err != nil {
		return nil, "", wrap("list projects", err)
	}
	list, next := cut(list, pg.Limit, func(p project.Project) (int64, string) { return micros(p.CreatedAt), p.ID })
	return list, next, r.fillDomains(ctx, list)
}

// TakeDuePolls returns Git projects that were last polled before since and marks them as polled now, so that two
// replicas do not poll the same repository. Poll times in the future were stored before the clock was set back
// (J10).
func (s *Store) TakeDuePolls(ctx context.Context, since time.Time, limit int) ([]project.Project, error) {
	var list []project.Project
	err := s.Tx(ctx, func(t *Tx) (err error) {
		list = nil
		now := micros(t.now())
		// These are two queries because each of them reads a range of the index in order. A single query with OR would
		// read the whole index.
		for _, due := range []struct {
			where string
			at    int64
		}{{`p.polled_at < $1`, micros(since)}, {`p.polled_at > $1`, now}} {
			more, err := collect(ctx, t.q, scanProject, `SELECT `+projectColumns+` FROM projects p WHERE p.repository <> '' AND `+
				due.where+` ORDER BY p.polled_at LIMIT $2`+t.skipLocked(), due.at, limit-len(list))
			if err != nil {
				return wrap("list projects to poll", err)
			}
			list = append(list, more...)
		}
		for _, p := range list {
			if _, err = t.q.exec(ctx, `UPDATE projects SET polled_at = $2 WHERE id = $1`, p.ID, now); err != nil {
				return wrap("take projects to poll", err)
			}
		}
		return t.fillDomains(ctx, list)
	})
	return list, err
}
