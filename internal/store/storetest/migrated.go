package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// schema is an SQLite file that has every table and no rows. Migrating takes longer than most tests, so each process
// does it only once.
var schema = sync.OnceValues(func() (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "lectern-schema-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "schema.db")
	if err := Migrate(context.Background(), file); err != nil {
		return nil, err
	}
	return os.ReadFile(file) // Close has merged the log into it
})

// Migrate creates every table in the database at a URL.
func Migrate(ctx context.Context, url string) error {
	s, err := store.Open(ctx, store.Options{URL: url, Now: time.Now})
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx)
	return errors.Join(err, s.Close())
}

// SQLite writes a migrated database to a file that does not exist yet, and returns the file's name.
func SQLite(t testing.TB, file string) string {
	t.Helper()
	content, err := schema()
	if err != nil {
		t.Fatalf("migrate: %v", err)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(content)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}
