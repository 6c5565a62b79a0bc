//go:build nightly

package e2e

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// D6: lectern doctor finds each fault that the test causes, says what to do and exits with 1. Without a fault, it exits
// with 0.
func TestDoctorReportsFaults(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), nil, "--first-site", "off")
	publishFolder(t, p.client(command(t, nil, "keys", "create", "--data", p.data)), site(t, 3), "small.localhost")
	listen := strings.TrimPrefix(p.url, "http://")
	p.Stop()
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	command(t, nil, "backup", file, "--data", p.data)
	healthy := func(t *testing.T) string { // a copy that a test can damage
		data := filepath.Join(t.TempDir(), "data")
		command(t, nil, "restore", file, "--data", data)
		return data
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	cluster := sharedSettings(t, database.Database(t))
	for name, c := range map[string]struct {
		env    []string
		args   []string
		breaks func(t *testing.T, data string)
		fails  string // the check that must fail; "" if none
		says   string
	}{
		"nothing":               {},
		"nothing, on a cluster": {env: cluster},
		"a folder that is closed": {args: []string{"--data", "/proc/self/task"}, fails: "data folder",
			says: "cannot be written to"},
		"a secret for all eyes": {breaks: func(t *testing.T, data string) {
			if err := os.Chmod(filepath.Join(data, "secret.key"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, fails: "data folder", says: "can read the secret key"},
		"a secret that is gone": {breaks: func(t *testing.T, data string) {
			remove(t, filepath.Join(data, "secret.key"))
		}, fails: "data folder", says: "is missing"},
		"another secret": {env: []string{"LECTERN_SECRET_KEY=ffffffffffffffffffffffffffffffff"}, fails: "database",
			says: "another secret key"},
		"a stopped database": {env: []string{"LECTERN_DATABASE=postgres://lectern:hush-hush@" + unusedAddress(t) +
			"/x"}, fails: "database", says: "cannot be opened"},
		"a wrong password": {env: []string{"LECTERN_DATABASE=" + wrongPassword(database.Database(t))},
			fails: "database", says: "cannot be opened"},
		"a newer schema": {breaks: func(t *testing.T, data string) {
			execSQL(t, data, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
			execSQL(t, data, `UPDATE settings SET value = '9999' WHERE name = 'oldest_program'`)
		}, fails: "database", says: "schema 9999"},
		"a wrong S3 key": {env: append(cluster[:3:3], "LECTERN_S3_SECRET_KEY=wrong-wrong-wrong", cluster[4]),
			fails: "stored files", says: "the bucket cannot be used"},
		"a bucket that is not": {env: append([]string{cluster[0], strings.Replace(cluster[1], "s3://", "s3://no-", 1)},
			cluster[2:]...), fails: "stored files", says: "the bucket cannot be used"},
		"a lost file": {args: []string{"--deep"}, breaks: func(t *testing.T, data string) {
			packs, err := filepath.Glob(filepath.Join(data, "blobs/sites/*/packs/*"))
			if err != nil || len(packs) == 0 {
				t.Fatal(packs, err)
			}
			remove(t, packs[0])
		}, fails: "stored files", says: "that the database refers to are missing from"},
		"a taken port": {args: []string{"--listen", taken.Addr().String()}, fails: "listen",
			says: "Another program listens"},
		"no way to sign in": {args: []string{"--oidc-issuer", "http://" + unusedAddress(t), "--oidc-client-id", "x",
			"--public-url", "http://localhost"},
			env: []string{"LECTERN_OIDC_CLIENT_SECRET=hush-hush"}, fails: "reach", says: "oidc.issuer"},
		"no way to the model": {args: []string{"--agent-models", "openai:x", "--agent-openai-url",
			"http://" + unusedAddress(t)}, fails: "reach", says: "agent.openai-url"},
		"no way to the code host": {args: []string{"--forge-hosts",
			"git.example.com=gitea@http://" + unusedAddress(t)}, fails: "reach", says: "forge.hosts"},
		"a job that waits": {breaks: func(t *testing.T, data string) {
			execSQL(t, data,
				`INSERT INTO tasks (id, kind, organization_id, state, created_at) SELECT 'x', 'export', id, 'queued', 1 FROM organizations LIMIT 1`)
		}, fails: "queue", says: "A job has been waiting"},
		"a secret file that is not": {args: []string{"--secret-key-file", "/no/such/file"}, fails: "settings",
			says: "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			data := healthy(t)
			if c.breaks != nil {
				c.breaks(t, data)
			}
			d := diagnose(t, c.env, append([]string{"--data", data, "--listen", listen}, c.args...)...)
			fails := d.failed()
			if c.fails == "" && (d.code != 0 || len(fails) > 0) || c.fails != "" &&
				(d.code != 1 || len(fails) == 0 || fails[0] != c.fails) || !strings.Contains(d.text, c.says) {
				t.Errorf("exit code %d:\n%s", d.code, d.text)
			}
		})
	}
}

// unusedAddress returns an address where nothing listens.
func unusedAddress(t *testing.T) string { return freeAddress(t) }

func wrongPassword(url string) string {
	before, rest, _ := strings.Cut(url, "://lectern:")
	_, after, _ := strings.Cut(rest, "@")
	return before + "://lectern:hush-hush@" + after
}

// execSQL runs a statement on the database of a stopped server.
func execSQL(t *testing.T, data, statement string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: filepath.Join(data, "lectern.db"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.SQLite().ExecContext(t.Context(), statement)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}
