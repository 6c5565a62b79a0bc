package store

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const deploymentColumns = `d.id, d.organization_id, d.project_id, d.kind, d.branch, d.status, d.commit_id, ` +
	`d.commit_change, d.page_count, d.logs, d.diagnostics, d.error, d.manifest_key, d.snapshot_key, ` +
	`d.triggered_by, d.offers, d.transient, d.versions, d.translations, d.created_at, d.updated_at, d.ended_at, ` + deploymentPeople

// deploymentPeople contains the columns with the principals who acted on a deployment, and with the commit details that
// lists show.
const deploymentPeople = `d.started_by,
	COALESCE((SELECT r.restored_by FROM roll_backs r WHERE r.deployment_id = d.id), ''),
	(SELECT r.restored_at FROM roll_backs r WHERE r.deployment_id = d.id), d.commit_title, d.commit_author`

func scanDeployment(s scanner) (deploy.Deployment, error) {
	var d deploy.Deployment
	var change, logs, diagnostics, versions, translations, title, author string
	var pages, created, updated int64
	var ended, restored *int64
	if err := s.Scan(&d.ID, &d.OrganizationID, &d.ProjectID, &d.Kind, &d.Branch, &d.Status, &d.Commit, &change, &pages,
		&logs, &diagnostics, &d.Error, &d.ManifestKey, &d.SnapshotKey, &d.Trigger, &d.Offers, &d.Transient, &versions,
		&translations, &created, &updated, &ended, &d.StartedBy, &d.RestoredBy, &restored, &title, &author); err != nil {
		return d, err
	}
	d.RestoredAt = fromMicrosOrNull(restored)
	d.PageCount, d.CreatedAt, d.UpdatedAt, d.EndedAt = int(pages), fromMicros(created), fromMicros(updated),
		fromMicrosOrNull(ended)
	var err error
	if d.Change, err = fromJSON[deploy.Change](change); err != nil {
		return d, err
	}
	if d.Change.Message == "" { // lists do not show the whole commit message
		d.Change.Message, d.Change.Author = title, author
	}
	if versions != "" {
		if d.Versions, err = fromJSON[*deploy.Versions](versions); err != nil {
			return d, err
		}
	}
	if translations != "" {
		if d.Translations, err = fromJSON[[]deploy.Translation](translations); err != nil {
			return d, err
		}
	}
	if d.Logs, err = fromJSON[[]deploy.LogLine](logs); err != nil {
		return d, err
	}
	d.Diagnostics, err = fromJSON[diag.List](diagnostics)
	return d, err
}

var errUnknownDeployment = fault.New(fault.NotFound, "unknown_deployment", "Deployment not found.")

// UnknownDeployment returns the NotFound fault. It is for callers that must not reveal whether a deployment exists.
func UnknownDeployment() error { return errUnknownDeployment }

// QueueDeployment stores a queued deployment and its task. If a deployment of the same kind and branch is still
// waiting, QueueDeployment returns that deployment instead. It will fetch the source later, so it will include what the
// caller wants to publish.
func (t *Tx) QueueDeployment(ctx context.Context, p project.Project, kind deploy.Kind, branch,
	trigger string) (deploy.Deployment, error) {
	// Because of the lock, concurrent requests see each other's deployment.
	if err := t.lockProject(ctx, p.ID); err != nil {
		return deploy.Deployment{}, err
	}
	waiting, err := t.joinDeployment(ctx, p.ID, kind, branch, trigger)
	if err == nil || !errors.Is(err, errNone) {
		return waiting, wrap("find waiting deployment", err)
	}
	at, err := t.nextDeploymentTime(ctx, p.ID)
	if err != nil {
		return deploy.Deployment{}, err
	}
	d := deploy.Deployment{ID: t.s.ids.New(id.Deployment), OrganizationID: p.OrganizationID, ProjectID: p.ID,
		Kind: kind, Branch: branch,
		Status: deploy.Queued, Trigger: trigger, CreatedAt: at, UpdatedAt: at}
	_,
		err = t.q.exec(ctx,
		`INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, triggered_by, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 'queued', $6, $7, $7)`,
		d.ID, d.OrganizationID, d.ProjectID, string(d.Kind), d.Branch, d.Trigger, micros(d.CreatedAt))
	if err != nil {
		return d, wrap("store deployment", err)
	}
	return d, t.queue(ctx, task.Deploy, d.ID, d.OrganizationID)
}

// SetStarter records who requested a deployment. If a waiting deployment is requested again, it keeps its first
// requester. Deployments that a code host or the server starts have no requester.
func (t *Tx) SetStarter(ctx context.Context, d deploy.Deployment, by string) error {
	_, err := t.q.exec(ctx, `UPDATE deployments SET started_by = $2
		WHERE id = $1 AND started_by = '' AND triggered_by IN ('api', 'confirmed', 'merge')`, d.ID, by)
	return wrap("store who started a deployment", err)
}

// joinDeployment returns a waiting deployment that a new request can join, whether it waits for its first attempt or
// for a retry after an outage. It excludes deployments that would not go live: deployments requested before a rollback,
// deployments that are older than a newer request, and rebuilds of the live site. If there is no such deployment, the
// error is errNone.
func (t *Tx) joinDeployment(ctx context.Context, projectID string, kind deploy.Kind, branch,
	trigger string) (deploy.Deployment, error) {
	waiting, err := single(ctx, t.q, scanDeployment,
		`SELECT `+deploymentColumns+` FROM deployments d JOIN tasks k ON k.id = d.id
		WHERE d.project_id = $1 AND d.kind = $2 AND d.branch = $3 AND k.state = 'queued' AND d.triggered_by NOT IN ('features', 'views')
			AND (d.status = 'queued' OR d.status = 'in_progress' AND NOT EXISTS (SELECT 1 FROM deployments n
				WHERE n.project_id = $1 AND n.kind = $2 AND n.branch = $3 AND n.created_at > d.created_at AND n.status <> 'failure'))
			AND (d.triggered_by <> 'confirmed' OR $4 = 'confirmed')
			AND d.created_at > (SELECT rolled_back_at FROM projects WHERE id = $1) ORDER BY d.created_at LIMIT 1`,
		projectID, string(kind), branch, trigger)
	if err != nil {
		return waiting, err
	}
	// the joined deployment starts over with the attempts and the time of a new one
	if waiting.Status == deploy.InProgress {
		_,
			err = t.q.exec(ctx,
			`UPDATE tasks SET attempts = 0, ran_micros = 0, waiting_since = 0 WHERE id = $1 AND state = 'queued'`,
			waiting.ID)
	}
	if err == nil && trigger == deploy.Confirmed && waiting.Trigger != trigger {
		waiting.Trigger = trigger
		_, err = t.q.exec(ctx, `UPDATE deployments SET triggered_by = $2 WHERE id = $1`, waiting.ID, trigger)
	}
	return waiting, err
}

func (t *Tx) lockProject(ctx context.Context, projectID string) error {
	_, err := single(ctx, t.q, value[string], `SELECT id FROM projects WHERE id = $1`+t.forUpdate(), projectID)
	if errors.Is(err, errNone) {
		return errUnknownProject
	}
	return wrap("lock project", err)
}

// nextDeploymentTime returns the current time or, if the clock was set back, a time just after the project's latest
// deployment or rollback. The order of deployments and rollbacks decides which deployment is live, so the clock must
// not reverse it (J10). The caller must have locked the project's row.
func (t *Tx) nextDeploymentTime(ctx context.Context, projectID string) (time.Time, error) {
	last, err := single(ctx, t.q, value[int64], `SELECT COALESCE(max(t.at), 0) FROM
		(SELECT created_at AS at FROM deployments WHERE project_id = $1 UNION ALL SELECT rolled_back_at `+
		`FROM projects WHERE id = $1) t`, projectID)
	if err != nil {
		return time.Time{}, wrap("find latest deployment", err)
	}
	return fromMicros(max(micros(t.now()), last+1)), nil
}

// FindDeployment returns a deployment that belongs to the organization.
func (r reads) FindDeployment(ctx context.Context, organizationID, deploymentID string) (deploy.Deployment, error) {
	return r.oneDeployment(ctx, `d.organization_id = $1 AND d.id = $2`, organizationID, deploymentID)
}

// FindDeploymentByID returns a deployment, for its worker and for the site host.
func (r reads) FindDeploymentByID(ctx context.Context, deploymentID string) (deploy.Deployment, error) {
	return r.oneDeployment(ctx, `d.id = $1`, deploymentID)
}

// FindLastDeployment returns a project's newest production deployment, regardless of its state.
func (r reads) FindLastDeployment(ctx context.Context, projectID string) (deploy.Deployment, error) {
	return r.oneDeployment(ctx,
		`d.project_id = $1 AND d.kind = 'production' ORDER BY d.created_at DESC, d.id DESC LIMIT 1`, projectID)
}

// CountTransientFailures returns how many production deployments of a commit failed for reasons other than the source.
func (r reads) CountTransientFailures(ctx context.Context, projectID, commit string) (int, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT count(*) FROM deployments WHERE project_id = $1 AND kind = 'production' AND commit_id = $2 `+
			`AND status = 'failure' AND transient`, projectID, commit)
	return int(n), wrap("count failed deployments", err)
}

// FindPreview returns the newest preview of a branch in a project.
func (r reads) FindPreview(ctx context.Context, projectID, branch string) (deploy.Deployment, error) {
	return r.oneDeployment(ctx,
		`project_id = $1 AND branch = $2 AND kind = 'preview' ORDER BY created_at DESC, id DESC LIMIT 1`, projectID,
		branch)
}

func (r reads) oneDeployment(ctx context.Context, where string, args ...any) (deploy.Deployment, error) {
	d, err := single(ctx, r.q, scanDeployment, `SELECT `+deploymentColumns+` FROM deployments d WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return d, errUnknownDeployment
	}
	return d, wrap("find deployment", err)
}

// Live is the data that the site host needs to serve a domain.
type Live struct {
	ProjectID      string
	OrganizationID string
	DeploymentID   string // "" before the first publication
	ManifestKey    string
	Access         access.Mode // "" = everyone may read
	Path           string      // path of the matching domain, such as /docs; "" = root of its host
}

func scanLive(s scanner) (l Live, err error) {
	var domain string
	err = s.Scan(&l.ProjectID, &l.OrganizationID, &l.DeploymentID, &l.ManifestKey, &l.Access, &domain)
	l.Path = project.PathOf(domain)
	return l, err
}

const selectLive = `SELECT p.id, p.organization_id, p.live_id, COALESCE(d.manifest_key, ''), COALESCE(a.mode, ''), m.domain
	FROM project_domains m JOIN projects p ON p.id = m.project_id
	LEFT JOIN deployments d ON d.id = p.live_id LEFT JOIN reader_access a ON a.project_id = p.id `

// FindLive returns the live site on a domain.
func (r reads) FindLive(ctx context.Context, domain string) (Live, error) {
	l, err := single(ctx, r.q, scanLive, selectLive+`WHERE m.domain = $1`, domain)
	if errors.Is(err, errNone) {
		return l, fault.New(fault.NotFound, "unknown_domain", "There is no site on this domain.")
	}
	return l, wrap("find live site", err)
}

// ListLive returns the live sites on a host, at its root and below its paths, longest path first. If the host has no
// site, the list is empty.
func (r reads) ListLive(ctx context.Context, host string) ([]Live, error) {
	list, err := collect(ctx, r.q, scanLive, selectLive+`WHERE m.domain = $1 OR m.path_host = $1
		ORDER BY LENGTH(m.domain) DESC, m.domain`, host)
	return list, wrap("list live sites", err)
}

// LiveProject is a project with a live site.
type LiveProject struct{ ID, OrganizationID, Name, ManifestKey string }

// ListLiveProjects returns all projects with a live site.
func (r reads) ListLiveProjects(ctx context.Context) ([]LiveProject, error) {
	list, err := collect(ctx, r.q, func(s scanner) (p LiveProject, err error) {
		err = s.Scan(&p.ID, &p.OrganizationID, &p.Name, &p.ManifestKey)
		return p, err
	}, `SELECT p.id, p.organization_id, p.name, d.manifest_key FROM projects p JOIN deployments d ON d.id = p.live_id
		WHERE d.manifest_key <> '' ORDER BY p.id`)
	return list, wrap("list live projects", err)
}

// FindLivePreview returns the site of a preview deployment. Reader access to it is the same as for its project.
func (r reads) FindLivePreview(ctx context.Context, deploymentID string) (Live, error) {
	l, err := single(ctx, r.q, scanLive,
		`SELECT p.id, p.organization_id, d.id, d.manifest_key, COALESCE(a.mode, ''), ''
		FROM deployments d JOIN projects p ON p.id = d.project_id LEFT JOIN reader_access a ON a.project_id = p.id
		WHERE d.id = $1 AND d.kind = 'preview'`, deploymentID)
	if errors.Is(err, errNone) {
		return l, fault.New(fault.NotFound, "unknown_domain", "There is no preview at this address.")
	}
	return l, wrap("find preview", err)
}

// StartDeployment sets the status of a held deployment to in_progress.
func (s *Store) StartDeployment(ctx context.Context, h task.Hold, lease time.Duration) (deploy.Deployment, error) {
	var d deploy.Deployment
	err := s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx,
			`UPDATE deployments SET status = 'in_progress', updated_at = $2 WHERE id = $1 `+
				`AND status IN ('queued', 'in_progress')`, h.TaskID, micros(t.now())); err != nil {
			return wrap("start deployment", err)
		}
		var err error
		d, err = t.FindDeploymentByID(ctx, h.TaskID)
		return err
	})
	return d, err
}

// AdvanceDeployment stores the deployment's details so far, renews the lease and reports whether the caller should
// stop.
func (s *Store) AdvanceDeployment(ctx context.Context, h task.Hold, lease time.Duration,
	d deploy.Deployment) (cancelAsked bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		if cancelAsked, err = t.hold(ctx, h, lease); err != nil {
			return err
		}
		_,
			err := t.q.exec(ctx,
			`UPDATE deployments SET commit_id = $2, commit_change = $6, commit_title = $7, commit_author = $8, `+
				`page_count = $3, logs = $4, versions = $9, updated_at = $5 WHERE id = $1 AND status = 'in_progress'`,
			h.TaskID, cleanText(d.Commit), d.PageCount, asJSON(d.Logs), micros(t.now()), asJSON(d.Change),
			cleanText(d.Change.Title()), cleanText(d.Change.Author), versionsJSON(d.Versions))
		return wrap("store deployment progress", err)
	})
	return cancelAsked, err
}

// PublishDeployment ends a held deployment successfully and makes a production deployment live, in one transaction, so
// that readers see either the old site or the new one. A deployment does not replace the live deployment if it was
// requested before the live deployment or before a rollback, or if it rebuilds a site that is no longer live.
func (s *Store) PublishDeployment(ctx context.Context, h task.Hold, d deploy.Deployment) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if err := t.endDeployment(ctx, d, deploy.Success); err != nil {
			return err
		}
		if d.Kind != deploy.Production {
			return nil
		}
		_, err := t.q.exec(ctx, `UPDATE projects SET live_id = $2 WHERE id = $1 AND rolled_back_at < $3
			AND NOT EXISTS (SELECT 1 FROM deployments l WHERE l.id = projects.live_id AND l.created_at > $3) `+
			`AND ($4 = '' OR live_id = $4)`, d.ProjectID, d.ID, micros(d.CreatedAt), d.Replaces)
		return wrap("switch live site", err)
	})
}

// FailDeployment marks a held deployment as failed and records the given events. The live site does not change. d.Error
// is the reason that the project's owner sees.
func (s *Store) FailDeployment(ctx context.Context, h task.Hold, d deploy.Deployment, events ...event.Event) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE deployments SET status = 'in_progress' WHERE id = $1 AND status = 'queued'`,
			d.ID); err != nil {
			return wrap("fail deployment", err)
		}
		for _, e := range events {
			if err := t.Record(ctx, e); err != nil {
				return err
			}
		}
		return t.endDeployment(ctx, d, deploy.Failure)
	})
}

// endDeployment stores a deployment's final state and records an event. The event is small and contains no text from
// authors, because it stays in the log after the deployment is pruned.
func (t *Tx) endDeployment(ctx context.Context, d deploy.Deployment, status deploy.Status) error {
	ended, err := single(ctx, t.q, func(s scanner) (out deploy.Deployment, err error) {
		err = s.Scan(&out.OrganizationID, &out.ProjectID, &out.Kind, &out.Branch, &out.Commit)
		return out, err
	},
		`UPDATE deployments SET status = $2, commit_id = $3, page_count = $4, logs = $5, diagnostics = $6, `+
			`error = $7, manifest_key = $8, snapshot_key = $9, offers = $11, transient = $12, commit_change = $13, `+
			`commit_title = $14, commit_author = $15, versions = $16, translations = $17, updated_at = $10, ended_at = $10
		WHERE id = $1 RETURNING organization_id, project_id, kind, branch, commit_id`, d.ID, string(status),
		cleanText(d.Commit), d.PageCount, asJSON(d.Logs), asJSON(d.Diagnostics), cleanText(d.Error), d.ManifestKey, d.SnapshotKey, micros(t.now()), d.Offers,
		status == deploy.Failure && d.Transient, asJSON(d.Change), cleanText(d.Change.Title()), cleanText(d.Change.Author),
		versionsJSON(d.Versions), translationsJSON(d.Translations))
	if errors.Is(err, errNone) { // it was deleted together with its project
		return nil
	}
	if err != nil {
		return wrap("end deployment", err)
	}
	ended.ID, ended.Changed, ended.Compared = d.ID, d.Changed, d.Compared
	if err := t.endPullPreview(ctx, ended, status); err != nil {
		return err
	}
	action := "deployment.succeed"
	if status == deploy.Failure {
		action = "deployment.fail"
	}
	return t.Record(ctx, event.New(ended.OrganizationID, "system", action, d.ID, "", t.now(), filled(map[string]string{
		"project": ended.ProjectID, "kind": string(ended.Kind), "branch": ended.Branch, "commit": ended.Commit})))
}

// filled removes empty values from the data for an event.
func filled(data map[string]string) map[string]string {
	maps.DeleteFunc(data, func(_, v string) bool { return v == "" })
	return data
}
