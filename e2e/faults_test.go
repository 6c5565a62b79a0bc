package e2e

import (
	"errors"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/client"
)

// outage is how long the object storage is unavailable in its test: longer than five attempts at a task with the short
// leases of these tests. `make test-all` uses half an hour.
var outage = flag.Duration("outage", 40*time.Second, "how long the object storage is unavailable in its test")

// limitFiles sets how many files a process may have open.
func limitFiles(t *testing.T, p *process, most uint64) {
	t.Helper()
	var now unix.Rlimit
	err := unix.Prlimit(p.Pid(), unix.RLIMIT_NOFILE, nil, &now)
	if err == nil {
		now.Cur = most
		err = unix.Prlimit(p.Pid(), unix.RLIMIT_NOFILE, &now, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// D6: a server without a single free file descriptor responds on its open connections, reports the problem, and
// recovers without intervention when descriptors are available again. New connections wait until then.
func TestServerSurvivesExhaustedFileDescriptors(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), nil, "--first-site", "off")
	// a new connection would wait forever later
	p.requests = &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	defer p.requests.CloseIdleConnections()
	key := command(t, nil, "keys", "create", "--data", p.data)
	c := p.client(key)
	publishFolder(t, c, site(t, 20), "files.localhost")
	if code, _ := page(t, p, "files.localhost", "/page-00003"); code != http.StatusOK {
		t.Fatal(code)
	}
	before := domains(t, c)
	limitFiles(t, p, 3)
	p.Await("a word about the descriptors", func() bool {
		s, code := readiness(t, p, "")
		if s == 0 { // the connection is lost, and a new one needs a descriptor
			limitFiles(t, p, 1000)
			_, _ = readiness(t, p, "")
			limitFiles(t, p, 3)
		}
		return s == 503 && code == "too_many_open_files"
	})
	if code, _ := page(t, p, "files.localhost", "/page-00003"); code != http.StatusOK {
		t.Errorf("a page that was read before returns %d", code)
	}
	if got := domains(t, c); !slices.Equal(got, before) {
		t.Errorf("projects are %v, were %v", got, before)
	}
	if countLogLines(p, "storage failing", "too many open files") == 0 {
		t.Error("the log does not say what is wrong")
	}
	limitFiles(t, p, 1000)
	p.Await("readiness", func() bool { s, _ := readiness(t, p, ""); return s == http.StatusOK })
	for _, path := range []string{"/", "/page-00007", "/page-00019"} {
		if code, _ := page(t, p, "files.localhost", path); code != http.StatusOK {
			t.Errorf("%s returns %d", path, code)
		}
	}
	republish(t, c, "files.localhost")
	p.Stop()
}

// damage overwrites a database with noise, including its header, as a failing disk does.
func damage(t *testing.T, data string) {
	t.Helper()
	for _, name := range []string{"lectern.db", "lectern.db-wal"} {
		name = filepath.Join(data, name)
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var f *os.File
		if err == nil {
			f, err = os.OpenFile(name, os.O_WRONLY, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(slices.Repeat([]byte{0xA5}, int(info.Size())), 0)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// mustFail runs a command that must fail and returns its output.
func mustFail(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append(os.Environ(), "LECTERN_METRICS_LISTEN=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("lectern %v succeeded: %s", args, out)
	}
	return string(out)
}

// D1, D3, D6: after the database is damaged while the server runs, sites are still served, changes are refused with a
// specific message, commands name the file and say what to do, and the last backup restores everything.
func TestDamagedDatabaseIsReportedAndSitesServed(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), nil, "--first-site", "off")
	key := command(t, nil, "keys", "create", "--data", p.data)
	c := p.client(key)
	publishFolder(t, c, site(t, 20), "damaged.localhost")
	before := domains(t, c)
	backup := filepath.Join(t.TempDir(), "b.tar.gz")
	command(t, nil, "backup", backup, "--data", p.data)
	if code, _ := page(t, p, "damaged.localhost", "/"); code != http.StatusOK { // from now on the site is in memory
		t.Fatal(code)
	}
	stopReaders := readers(t, p, "damaged.localhost")
	damage(t, p.data)
	p.Await("a refusal that says why", func() (found bool) {
		answers := make(chan error)
		for range 16 { // more requests at once than connections that have cached parts of the database
			go func() {
				_, err := c.ListProjects(background(),
					client.ListProjectsParams{Limit: 100})
				answers <- err
			}()
		}
		for range 16 {
			err := <-answers
			var e *client.Error
			if errors.As(err, &e) && (e.Status != http.StatusServiceUnavailable || e.Code != "database_damaged") {
				t.Errorf("a damaged database: %v", err)
			}
			found = found || e != nil
		}
		return found
	})
	stopReaders() // fails the test if readers saw anything but pages
	if countLogLines(p, "its database is damaged") == 0 {
		t.Error("the log does not say what is wrong")
	}
	p.Kill()
	damage(t, p.data) // stopping must not have repaired it
	for _, args := range [][]string{{"serve", "--listen", freeAddress(t)}, {"keys", "list"}} {
		said := mustFail(t, append(args, "--data", p.data)...)
		if !strings.Contains(said, filepath.Join(p.data, "lectern.db")) || !strings.Contains(said, "damaged") ||
			!strings.Contains(said, "lectern restore") {
			t.Errorf("lectern %s prints: %s", args[0], said)
		}
	}
	if d := diagnose(t, nil, "--data", p.data); !slices.Contains(d.failed(), "database") ||
		!strings.Contains(d.text, "is damaged") {
		t.Errorf("doctor: %s", d.text)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	command(t, nil, "restore", backup, "--data", restored)
	p = serve(t, restored, nil, "--first-site", "off")
	if got := domains(t, p.client(key)); !slices.Equal(got, before) {
		t.Errorf("projects are %v, were %v", got, before)
	}
	if code, _ := page(t, p, "damaged.localhost", "/page-00007"); code != http.StatusOK {
		t.Errorf("the restored site returns %d", code)
	}
	p.Stop()
}

// D6, J2: the object storage is unavailable for longer than all attempts at a task take. Pages that were read before
// are served throughout, readiness reports the outage, and jobs that were queued before or during it complete without
// intervention once the storage is back.
func TestJobsSurviveObjectStorageOutage(t *testing.T) {
	t.Parallel()
	l, through := newLink(t, objects.Endpoint)
	env := sharedSettings(t, database.Database(t))
	for i := range env {
		env[i] = strings.Replace(env[i], objects.Endpoint, through, 1)
	}
	p := serve(t, t.TempDir(), env, "--first-site", "off")
	c := p.client(command(t, env, "keys", "create", "--data", t.TempDir()))
	publishFolder(t, c, site(t, 20), "away.localhost")
	if code, _ := page(t, p, "away.localhost", "/"); code != http.StatusOK {
		t.Fatal(code)
	}
	stopReaders := readersAtIntervals(t, p, 8*readEvery, "away.localhost")
	l.cut()
	list, err := c.ListProjects(background(), client.ListProjectsParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	update, err := c.StartUpdate(background(), list.Projects[0].ProjectID, client.StartUpdate{})
	if err != nil {
		t.Fatal(err)
	}
	export, err := c.StartExport(background(), client.StartExport{Domain: "away.localhost", Version: "during"})
	if err != nil {
		t.Fatal(err)
	}
	p.Await("readiness that says what is missing",
		func() bool { s, _ := readiness(t, p, ""); return s == http.StatusServiceUnavailable })
	if s, _ := readiness(t, p, "?for=sites"); s != http.StatusOK || status(p.url+"/healthz") != http.StatusOK {
		t.Errorf("for sites: %d, health: %d", s, status(p.url+"/healthz"))
	}
	<-time.After(*outage) // the test is about the length of the outage
	l.restore()
	p.Await("readiness", func() bool { s, _ := readiness(t, p, ""); return s == http.StatusOK })
	if _, err := c.WaitUpdate(background(), update.StatusID, nil); err != nil {
		t.Errorf("the update: %v", err)
	}
	if _, err := c.WaitExport(background(), export.JobID, nil); err != nil {
		t.Errorf("the export: %v", err)
	}
	stopReaders()
	p.Stop()
}
