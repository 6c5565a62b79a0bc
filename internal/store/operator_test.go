package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

func TestOperatorStatsCoverQueueAndStorage(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := open(t, database(t))
			if v, err := s.SchemaVersion(t.Context()); v != 0 || err != nil {
				t.Errorf("an empty database has schema %d (error %v)", v, err)
			}
			if stored, err := s.ListStored(t.Context()); err != nil || len(stored.Manifests)+len(stored.Others) > 0 {
				t.Errorf("an empty database names %+v (error %v)", stored, err)
			}
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if w, err := s.Waiting(t.Context()); err != nil || w != (store.Waiting{}) {
				t.Errorf("an empty queue is %+v (error %v)", w, err)
			}
			fill(t, s, store.NewestSchema())
			w, err := s.Waiting(t.Context())
			if err != nil || w.Queued != 9 || w.Running != 1 || w.Lapsed != 1 || w.Oldest < time.Hour {
				t.Errorf("the queue is %+v (error %v)", w, err)
			}
			stored, err := s.ListStored(t.Context())
			slices.Sort(stored.Others)
			others := slices.Compact(stored.Others)
			slices.Sort(stored.Manifests)
			if err != nil || !slices.Equal(stored.Manifests,
				[]string{"sites/prj_1/manifests/dep_1.json", "sites/prj_1/manifests/dep_2.json"}) ||
				!slices.Equal(others, []string{"exports/se_1/a.zip", "exports/se_2/a.tar.gz",
					"snapshots/prj_1/dep_1.zip"}) {
				t.Errorf("stored: %+v (error %v)", stored, err)
			}
			version, ahead, err := s.Server(t.Context())
			if err != nil || version == "" || ahead.Abs() > time.Minute {
				t.Errorf("%q, %s ahead (error %v)", version, ahead, err)
			}
		})
	}
}

// D3: a copy taken while others write is intact, and contains only complete transactions.
func TestSnapshotIsConsistent(t *testing.T) {
	s := open(t, sqliteFile(t))
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(t, s, 1)
	writer := open(t, texts(t, s, `SELECT file FROM pragma_database_list WHERE name = 'main'`)[0])
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			tx, err := writer.SQLite().BeginTx(t.Context(), nil)
			if err != nil {
				t.Error(err)
				return
			}
			for half := range 2 { // rows always come in pairs
				if _, err := tx.ExecContext(t.Context(),
					fmt.Sprintf(`INSERT INTO settings (name, value) VALUES ('pair-%d-%d', '')`, n, half)); err != nil {
					t.Error(err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
		}
	}()
	for n := range 5 {
		file := filepath.Join(t.TempDir(), "copy [1].db")
		if err := s.Snapshot(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		c := open(t, file)
		if err := c.Sound(t.Context()); err != nil {
			t.Error(err)
		}
		if pairs := len(texts(t, c, `SELECT name FROM settings WHERE name LIKE 'pair-%'`)); pairs%2 != 0 {
			t.Errorf("copy %d has half a transaction: %d rows", n, pairs)
		}
		readBack(t, c, 1)
	}
	close(stop)
	<-stopped
	if err := s.Snapshot(t.Context(),
		texts(t, s, `SELECT file FROM pragma_database_list WHERE name = 'main'`)[0]); err == nil {
		t.Error("a snapshot replaced a database")
	}
}
