package store_test

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// fixture returns statements that insert the rows which programs of a schema wrote. The tests fail if a migration has
// no fixture.
func fixture(t *testing.T, schema int64) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "upgrade", fmt.Sprintf("%04d.sql", schema)))
	if err != nil {
		t.Fatalf("migration %d has no rows to be tested with: %v", schema, err)
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
			out = append(out, strings.TrimSuffix(line, ";"))
		}
	}
	if len(out) == 0 {
		t.Fatalf("the rows of migration %d are missing", schema)
	}
	return out
}

// fill writes what programs of schemas 1 to last wrote.
func fill(t *testing.T, s *store.Store, last int64) {
	t.Helper()
	for schema := int64(1); schema <= last; schema++ {
		for _, statement := range fixture(t, schema) {
			if err := execute(t.Context(), s, statement); err != nil {
				t.Fatalf("as schema %d wrote: %s: %v", schema, statement, err)
			}
		}
	}
}

// D2: an upgrade from any schema to the newest keeps every value in every row as the programs of that schema wrote it,
// and our own calls can read the rows. Only nightly runs test all schemas.
func TestUpgradeFromEverySchemaKeepsEveryValue(t *testing.T) {
	for engine, database := range engines() {
		for from := int64(1); from <= store.NewestSchema(); from++ {
			// An upgrade from the first schema runs every migration. An upgrade from the second to last schema has rows
			// from all schemas.
			if older := store.NewestSchema() - from; !tier.Nightly && older > 2 && from%10 != 1 {
				continue
			}
			t.Run(fmt.Sprintf("%s from %d", engine, from), func(t *testing.T) {
				t.Parallel()
				s := open(t, database(t))
				if err := s.MigrateTo(t.Context(), from); err != nil {
					t.Fatal(err)
				}
				fill(t, s, from)
				before := dump(t, s, nil)
				// A backup that the newer program makes before it migrates must find the stored blobs.
				stored, err := s.ListStored(t.Context())
				if err != nil || !slices.Contains(stored.Others, "exports/se_1/a.zip") ||
					!slices.Contains(stored.Manifests, "sites/prj_1/manifests/dep_1.json") {
					t.Errorf("stored: %+v (error %v)", stored, err)
				}
				if _, err := s.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				compare(t, before, dump(t, s, before))
				readBack(t, s, from)
			})
		}
	}
}

// D2: programs of older schemas write and change rows on the newest schema, as servers of the previous release do
// during a rollout. The newest program can read these rows.
func TestOlderReleasesCanWriteToNewestSchema(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := open(t, database(t))
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			fill(t, s, store.NewestSchema())
			readBack(t, s, store.NewestSchema())
		})
	}
}

// schemaOf returns the number of the migration with this name.
func schemaOf(t *testing.T, name string) int64 {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("migrations", "*", "*_"+name+".sql"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no migration %s (error %v)", name, err)
	}
	number, err := strconv.ParseInt(strings.SplitN(filepath.Base(files[0]), "_", 2)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// Of the keys that were created before the scope admin existed, only the key that the first start printed gets this
// scope.
func TestUpgradeGrantsFirstKeyAllScopes(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := open(t, database(t))
			if err := s.MigrateTo(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			fill(t, s, 1)
			for name, row := range map[string]string{"first": `'First key', '["read","write"]', ''`,
				"ci":     `'ci', '["read","write"]', ''`,
				"reader": `'First key', '["read"]', ''`, "child": `'First key', '["read","write"]', 'key_1'`} {
				if err := execute(t.Context(), s,
					`INSERT INTO api_keys (id, organization_id, prefix, hash, addresses, created_at, label, scopes, created_by)
					VALUES ('key_`+name+`', 'org_1', 'lectern_`+name+`', '`+name+`', '[]', 1700000000000000, `+row+
						`)`); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"first": "read write discovery admin", "ci": "read write",
				"reader": "read", "child": "read write"} {
				k, err := s.FindKey(t.Context(), "org_1", "key_"+name)
				if err != nil || k.ScopeNames() != want {
					t.Errorf("%s: %q (error %v), want %q", name, k.ScopeNames(), err, want)
				}
			}
		})
	}
}

// D2: a program runs on a database that a newer program has migrated if the schema supports it. Otherwise it refuses to
// start and changes nothing. A program that is already running is not affected.
func TestOlderReleaseOpensOnlyCompatibleSchema(t *testing.T) {
	newest := store.NewestSchema()
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			url := database(t)
			s := open(t, url)
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			fill(t, s, newest)
			if err := execute(t.Context(), s,
				fmt.Sprintf(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, TRUE)`,
					newest+1)); err != nil {
				t.Fatal(err)
			}
			readBack(t, s, newest) // it was open before the migration
			for floor, fits := range map[string]bool{"": false, "x": false, fmt.Sprint(newest + 1): false,
				fmt.Sprint(newest): true, fmt.Sprint(newest - 1): true} {
				set := `DELETE FROM settings WHERE name = 'oldest_program'`
				if floor != "" {
					set = `INSERT INTO settings (name, value) VALUES ('oldest_program', '` + floor +
						`') ON CONFLICT (name) DO UPDATE SET value = excluded.value`
				}
				if err := execute(t.Context(), s, set); err != nil {
					t.Fatal(err)
				}
				later := open(t, url)
				n, err := later.Migrate(t.Context(), func(context.Context) error {
					t.Error("the older program migrated another package's tables")
					return nil
				})
				if n != 0 || fits && err != nil || !fits && !fault.HasCode(err, "newer_schema") {
					t.Errorf("floor %q: %d %v", floor, n, err)
				}
				if held, err := later.FindSetting(t.Context(), "oldest_program"); err != nil || held != floor {
					t.Errorf("the older program wrote %q over %q (error %v)", held, floor, err)
				}
			}
		})
	}
}

// D2: programs that use River may start only on a database with River's tables. On any other database, they would fail
// at the first job.
func TestDatabaseWithoutRiverRefusesOlderPrograms(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := open(t, database(t))
			oldest := func() string {
				t.Helper()
				if _, err := s.Migrate(t.Context(), s.RequireOwnQueue); err != nil {
					t.Fatal(err)
				}
				held, err := s.FindSetting(t.Context(), "oldest_program")
				if err != nil {
					t.Fatal(err)
				}
				return held
			}
			if err := execute(t.Context(), s, `CREATE TABLE river_job (id BIGINT)`); err != nil {
				t.Fatal(err)
			}
			if held := oldest(); held != "7" {
				t.Errorf("with River's tables, the oldest program is %s", held)
			}
			if err := execute(t.Context(), s, `DROP TABLE river_job`); err != nil {
				t.Fatal(err)
			}
			if held, want := oldest(), fmt.Sprint(schemaOf(t, "chores")); held != want {
				t.Errorf("without River's tables, the oldest program is %s, want %s", held, want)
			}
		})
	}
}

// migrateChild as first argument makes the test binary a process that migrates and ends.
const migrateChild = "migrate-and-end"

func migrateAndEnd(url string) {
	s, err := store.Open(context.Background(), store.Options{URL: url, Now: time.Now})
	if err == nil {
		_, err = s.Migrate(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// D1, D2: if a migration of a database with rows is repeatedly killed with -9, the next migration continues and loses
// nothing.
func TestKilledMigrationResumes(t *testing.T) {
	for engine, database := range engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			for range 6 {
				url := database(t)
				s := open(t, url)
				if err := s.MigrateTo(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				fill(t, s, 1)
				before := dump(t, s, nil)
				for range 3 {
					child := exec.Command(os.Args[0], migrateChild, url)
					child.Stderr = os.Stderr
					if err := child.Start(); err != nil {
						t.Fatal(err)
					}
					<-time.After(time.Duration(mathrand.IntN(120)) * time.Millisecond) // it dies at some random point
					_ = child.Process.Kill()
					_ = child.Wait() // the process may have finished first
				}
				if _, err := s.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				compare(t, before, dump(t, s, before))
				readBack(t, s, 1)
			}
		})
	}
}
