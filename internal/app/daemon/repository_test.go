package daemon

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// sharedSettings returns the settings of a process on the test's PostgreSQL with a separate data folder.
func sharedSettings(t *testing.T, url string) config.Server {
	t.Helper()
	c := config.Defaults()
	c.Database, c.Data, c.SecretKey = url, t.TempDir(), strings.Repeat("k", 32)
	return c
}

// openProcess opens the parts of a process, either as serve (with workers) or as something else.
func openProcess(t *testing.T, c config.Server, serves bool) (*core, *bytes.Buffer, error) {
	t.Helper()
	log := &bytes.Buffer{}
	opened, err := openCore(t.Context(), Options{Config: c, Now: time.Now, Rand: rand.Reader,
		Logger: slog.New(slog.NewTextHandler(log, nil))}, func() string { return "" })
	if err != nil {
		return nil, log, err
	}
	t.Cleanup(func() {
		if err := opened.close(); err != nil {
			t.Error(err)
		}
	})
	opened.serves = serves
	return opened, log, nil
}

// If two processes on one database stored files on separate disks, each would have only half of the files.
func TestSecondDataFolderWithoutS3IsRefused(t *testing.T) {
	url := postgresServer.Database(t)
	one := sharedSettings(t, url)
	if _, _, err := openProcess(t, one, true); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openProcess(t, one, true); err != nil {
		t.Errorf("the same folder: %v", err)
	}
	other := sharedSettings(t, url)
	_, _, err := openProcess(t, other, true)
	f, ok := fault.As(err)
	if !ok || f.Code != "bad_setting" || f.Field != "blob" {
		t.Fatalf("another folder: %v", err)
	}
	name, err := readMark(one.Data)
	if err != nil || name == "" || !strings.Contains(f.Hint, name) {
		t.Fatalf("the hint does not name the folder: %s, %v", f.Hint, err)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved, os.DirFS(one.Data)); err != nil {
		t.Fatal(err)
	}
	other.Data = moved
	if _, _, err := openProcess(t, other, true); err != nil {
		t.Errorf("a folder that was moved: %v", err)
	}
}

// process is openProcess for a process that must open without an error.
func process(t *testing.T, c config.Server, serves bool) (*core, *bytes.Buffer) {
	t.Helper()
	opened, log, err := openProcess(t, c, serves)
	if err != nil {
		t.Fatal(err)
	}
	return opened, log
}

func TestRepositoriesAreStoredInOneSharedFolder(t *testing.T) {
	url := postgresServer.Database(t)
	first := sharedSettings(t, url)
	a, _ := process(t, first, true)
	if err := a.repositories().check(t.Context()); err != nil {
		t.Fatalf("the only process: %v", err)
	}
	second := first // blobs on disk require the same data folder; the repositories do not
	second.Repositories = t.TempDir()
	b, log := process(t, second, false)
	if err := b.repositories().check(t.Context()); err != nil {
		t.Errorf("a new folder, while nothing is in the other: %v", err)
	}
	if err := a.repositories().check(t.Context()); !fault.HasCode(err, "repositories_not_shared") {
		t.Errorf("the previous folder: %v", err)
	}
	keep(t, b.Store)
	third := first
	third.Repositories = t.TempDir()
	c, _ := process(t, third, true)
	if err := c.repositories().check(t.Context()); !fault.HasCode(err, "repositories_not_shared") {
		t.Errorf("a new folder, while a project is in the other: %v", err)
	}
	if err := b.repositories().check(t.Context()); err != nil {
		t.Errorf("the folder that has it: %v\n%s", err, log)
	}
	if ours, err := c.repositories().ours(t.Context()); err != nil || ours {
		t.Errorf("an unknown folder is taken for ours, and could be cleared: %v", err)
	}
	if ours, err := b.repositories().ours(t.Context()); err != nil || !ours {
		t.Errorf("our folder is not known: %v", err)
	}
}

// A process that is certainly one of several does not start using a folder that the others cannot see.
func TestSeparateProcessesNeedASharedFolder(t *testing.T) {
	c := sharedSettings(t, postgresServer.Database(t))
	worker, log := process(t, c, false)
	if err := worker.repositories().check(t.Context()); !fault.HasCode(err, "repositories_not_shared") ||
		!strings.Contains(log.String(), "setting repositories") {
		t.Errorf("a worker: %v\n%s", err, log)
	}
	c.Workers = config.NoWorkers
	server, _ := process(t, c, true)
	if err := server.repositories().check(t.Context()); !fault.HasCode(err, "repositories_not_shared") {
		t.Errorf("a server without workers: %v", err)
	}
}

// keep creates a project whose only source is in the folder.
func keep(t *testing.T, st *store.Store) {
	t.Helper()
	err := st.Tx(context.Background(), func(tx *store.Tx) error {
		o, err := tx.CreateOrganization(t.Context(), "O", account.PlanEnterprise)
		if err != nil {
			return err
		}
		_, err = tx.CreateProject(t.Context(), project.Project{OrganizationID: o.ID, Name: "P",
			Domains: []string{"p.example.com"}, Source: project.Source{Repository: project.Own}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
