package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Number of rows per project. A sweep keeps this many deployments.
const (
	grownDeployments = 20
	grownExports     = 4
	grownFiles       = 200 // entries in the manifest of a site
)

// seedGrowth writes the rows that projects accumulate over years: one organization per ten projects and, for each
// project, deployments with their tasks and events, and exports. The newest update of every tenth project failed. All
// were published from the commit head.
func seedGrowth(ctx context.Context, s *store.Store, projects int, head string) error {
	now, line := time.Now(), `{"at":"2026-01-01T00:00:00Z","text":"a line as builds write it"}`
	values := strings.NewReplacer("{now}", strconv.FormatInt(now.UnixMicro(), 10),
		"{past}", strconv.FormatInt(now.Add(-48*time.Hour).UnixMicro(), 10), "{head}", head,
		"{log}", `[`+strings.Repeat(line+`,`, 20)+line+`]`, "{failed}", fmt.Sprintf(`n.i %% 10 = 0 AND k.i = %d`, grownDeployments),
		"{live}", strconv.Itoa(grownDeployments-1), "{deployments}", strconv.Itoa(grownDeployments))
	for _, one := range []struct {
		times int // rows per project; 0 = one per organization
		text  string
	}{
		{0, `INSERT INTO organizations (id, name, plan, created_at) SELECT 'org_' || n.i, 'o', 'pro', {now} FROM n, k`},
		{0, `INSERT INTO api_keys (id, organization_id, label, prefix, hash, scopes, addresses, created_by, created_at)
			SELECT 'key_' || n.i, 'org_' || n.i, 'k', 'p', 'hash_' || n.i, '["admin"]', '[]', '', {now} FROM n, k`},
		{1, `INSERT INTO projects (id, organization_id, name, source_path, repository, branch, credential, docs_folder, live_id,
				created_at, updated_at)
			SELECT 'prj_' || n.i, {org}, 'p', '', 'builtin://docs', '', '', '', 'dep_' || n.i || '_{live}', {now}, {now} FROM n, k`},
		{grownDeployments, `INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, commit_id, page_count,
				logs, error, manifest_key, snapshot_key, triggered_by, created_at, updated_at, ended_at)
			SELECT 'dep_' || n.i || '_' || k.i, {org}, 'prj_' || n.i, 'production', '',
				CASE WHEN {failed} THEN 'failure' ELSE 'success' END, '{head}', 200, '{log}',
				CASE WHEN {failed} THEN 'No.' ELSE '' END, 'sites/prj_' || n.i || '/manifests/dep_' || n.i || '_' || k.i || '.json',
				'snapshots/prj_' || n.i || '/dep_' || n.i || '_' || k.i || '.zip', 'poll', {past} + k.i, {past} + k.i, {past} + k.i FROM n, k`},
		{grownDeployments, `INSERT INTO tasks (id, kind, organization_id, state, created_at)
			SELECT 'dep_' || n.i || '_' || k.i, 'deploy', {org}, 'done', {now} FROM n, k`},
		{grownDeployments, `INSERT INTO events (id, organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash)
			SELECT 'evt_' || n.i || '_' || k.i, {org}, n.i * {deployments} + k.i, 'system', 'deployment.start',
				'dep_' || n.i || '_' || k.i, '', '{"trigger":"poll"}', {now}, '', '' FROM n, k`},
		{0, `UPDATE organizations SET event_seq = 1000000000`}, // above all seeded events
		{grownExports, `INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, progress, stage,
				bundles, created_at, updated_at, ended_at)
			SELECT 'se_' || n.i || '_' || k.i, {org}, 'prj_' || n.i, 'd', '', '[]', 'completed', 100, 'done',
				'[{"format":"zip","key":"exports/se_' || n.i || '_' || k.i || '/1/site.zip","size":1,"sha256":"x"}]',
				{now}, {now}, {now} FROM n, k`},
		{grownExports, `INSERT INTO tasks (id, kind, organization_id, state, created_at)
			SELECT 'se_' || n.i || '_' || k.i, 'export', {org}, 'done', {now} FROM n, k`},
	} {
		rows := projects
		if one.times == 0 {
			rows = max(1, projects/10)
		}
		if err := rawSQL(ctx, s, values.Replace(series(one.text, projects, rows, max(1, one.times)))); err != nil {
			return fmt.Errorf("seed: %w", err)
		}
	}
	if err := rawSQL(ctx, s, `ANALYZE`); err != nil || s.Postgres() != nil {
		return err
	}
	return rawSQL(ctx, s, `PRAGMA wal_checkpoint(TRUNCATE)`) // otherwise the next program to start would do it
}

// series prepends to a statement the tables n, with the numbers from 1 to rows, and k, with the numbers from 1 to
// times. It replaces {org} with the organization of project n.
func series(text string, projects, rows, times int) string {
	return fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d),
		k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < %d) `, rows, times) +
		strings.ReplaceAll(text, "{org}", fmt.Sprintf(`'org_' || ((n.i - 1) %% %d + 1)`, max(1, projects/10)))
}

// seedBacklog queues a task for each project.
func seedBacklog(ctx context.Context, s *store.Store, projects int) error {
	return rawSQL(ctx, s, series(`INSERT INTO tasks (id, kind, organization_id, state, created_at)
		SELECT 'queued_' || n.i, 'deploy', {org}, 'queued', n.i FROM n`, projects, projects, 1))
}

func rawSQL(ctx context.Context, s *store.Store, text string) error {
	if pool := s.Postgres(); pool != nil {
		_, err := pool.Exec(ctx, text)
		return err
	}
	_, err := s.SQLite().ExecContext(ctx, text)
	return err
}

// grownBlobs generates the files of seeded projects when they are read: writing hundreds of thousands of real ones
// would take longer than the measurement.
type grownBlobs struct {
	blob.Store // nil: no other methods are called
	projects   int
	files      []byte // of every manifest: the end of its JSON
	read       int64  // bytes
}

// Open returns a manifest.
func (g *grownBlobs) Open(_ context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	pack := strings.Replace(strings.TrimSuffix(key, ".json"), "manifests", "packs", 1) + "-0"
	text := slices.Concat([]byte(`{"commit":"c","packs":["`+pack+`"],`), g.files)
	g.read += int64(len(text))
	return readNothingElse{bytes.NewReader(text)}, blob.Info{Key: key, Size: int64(len(text))}, nil
}

// newGrownBlobs returns the files of seeded projects.
func newGrownBlobs(projects int) (*grownBlobs, error) {
	m := map[string]map[string]deploy.File{"files": {}}
	for i := range grownFiles {
		m["files"][fmt.Sprintf("guides/page-%d.html", i)] = deploy.File{SHA256: strings.Repeat("0123456789abcdef", 4), Size: 20_000,
			ContentType: "text/html; charset=utf-8", Gzip: true, Offset: int64(i) * 5000, Length: 5000}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return &grownBlobs{projects: projects, files: text[1:]}, nil
}

type readNothingElse struct{ *bytes.Reader }

func (readNothingElse) Close() error { return nil }

// List lists the files of all projects; all of them are in use.
func (g *grownBlobs) List(_ context.Context, prefix string, yield func(blob.Info) error) error {
	at := time.Now().Add(-72 * time.Hour)
	kind, of, _ := strings.Cut(prefix, "/")
	for i := range g.projects {
		project := fmt.Sprintf("prj_%d", i+1)
		if of != "" && of != project+"/" {
			continue
		}
		count := grownDeployments
		if kind == "exports" {
			count = grownExports
		}
		for k := range count {
			d := fmt.Sprintf("%d_%d", i+1, k+1)
			var keys []string
			switch kind {
			case "sites":
				keys = []string{"sites/" + project + "/manifests/dep_" + d + ".json", "sites/" + project + "/packs/dep_" + d + "-0"}
			case "snapshots":
				keys = []string{"snapshots/" + project + "/dep_" + d + ".zip"}
			case "exports":
				keys = []string{"exports/se_" + d + "/1/site.zip"}
			}
			for _, key := range keys {
				if err := yield(blob.Info{Key: key, Size: 1, ModTime: at}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
