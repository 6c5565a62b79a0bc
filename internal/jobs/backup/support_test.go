package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
)

const repository = "prj_a.git"

// folder is a data folder with a published site, an export and an embedded repository.
type folder struct {
	t   *testing.T
	src Source
}

func newFolder(t *testing.T) folder {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data [1]*")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(),
		store.Options{URL: storetest.SQLite(t, filepath.Join(data, databaseName)), Now: time.Now, IDs: id.Source{Rand: rand.Reader}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	f := folder{t: t, src: Source{Data: data, Store: st, Git: openGit(t, data),
		Repositories: filepath.Join(data, "proposals"), Version: "v1", Now: time.Now}}
	f.sql(`INSERT INTO organizations (id, name, plan, created_at) VALUES ('org_a', 'A', 'enterprise', 1)`)
	f.sql(
		`INSERT INTO projects (id, organization_id, name, source_path, repository, branch, credential, docs_folder, created_at, updated_at) VALUES ('prj_a', 'org_a', 'p', '', 'own://docs', '', '', '', 1, 1)`)
	f.publish("dep_1")
	f.write("blobs/exports/se_1/site.zip", "bundle")
	f.sql(`INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, progress, bundles, created_at, updated_at, ended_at)
		VALUES ('se_1', 'org_a', 'prj_a', 'docs.localhost', '', '[]', 'completed', 100, '[{"format":"zip","key":"exports/se_1/site.zip","size":6,"sha256":"x"}]', 1, 1, 1)`)
	f.write(secretName, strings.Repeat("s", 64)+"\n")
	f.write(hostsName, "host key\n")
	f.write("cache/pack", "not in a backup")
	f.write("git/mirrors/m.git/HEAD", "not in a backup")
	f.write("blobs/~tmp/half", "not in a backup")
	f.commit("first")
	return f
}

func openGit(t *testing.T, data string) *git.Cache {
	t.Helper()
	guard, err := outbound.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := guard.Proxy(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Close() })
	git, err := git.Open(filepath.Join(data, "git"), git.Options{Proxy: proxy, Own: filepath.Join(data, "proposals")})
	if err != nil {
		t.Fatal(err)
	}
	return git
}

func (f folder) sql(text string) {
	f.t.Helper()
	if _, err := f.src.Store.SQLite().ExecContext(f.t.Context(), text); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) write(name, text string) {
	f.t.Helper()
	name = filepath.Join(f.src.Data, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// publish adds a deployment; its files are stored before the row that refers to them.
func (f folder) publish(id string) {
	f.t.Helper()
	pack := "sites/prj_a/packs/" + id
	f.write("blobs/"+pack, "pack of "+id)
	f.write("blobs/snapshots/prj_a/"+id+".zip", "source of "+id)
	f.write("blobs/sites/prj_a/manifests/"+id+".json", fmt.Sprintf(`{"packs":[%q],"files":{}}`, pack))
	f.sql(`INSERT INTO deployments (id, organization_id, project_id, kind, branch, status, manifest_key, snapshot_key, triggered_by, created_at, updated_at, ended_at)
		VALUES ('` + id + `', 'org_a', 'prj_a', 'production', '', 'success', 'sites/prj_a/manifests/` + id +
		`.json', 'snapshots/prj_a/` + id + `.zip', 'api', 1, 1, 1)`)
}

func (f folder) commit(text string) {
	f.t.Helper()
	path, err := filepath.Abs(filepath.Join(f.src.Data, repoFolder, repository))
	if err != nil {
		f.t.Fatal(err)
	}
	repo := f.src.Git.Repo(path)
	if err := repo.Make(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	if _, err := repo.Import(f.t.Context(), git.Import{Files: fstest.MapFS{"index.mdx": {Data: []byte(text)}},
		Message: text, When: time.Unix(1, 0)}); err != nil {
		f.t.Fatal(err)
	}
}

// backup creates a backup in memory.
func (f folder) backup() []byte {
	f.t.Helper()
	var out bytes.Buffer
	if _, err := Create(f.t.Context(), &out, f.src); err != nil {
		f.t.Fatal(err)
	}
	return out.Bytes()
}

func restore(t *testing.T, raw []byte) (string, error) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "new")
	_, err := Restore(t.Context(), bytes.NewReader(raw), Target{Data: data, Now: time.Now})
	return data, err
}

// wantNothing fails the test if a restore left anything behind.
func wantNothing(t *testing.T, data string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(data))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (error %v)", left, err)
	}
}
