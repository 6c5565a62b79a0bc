package postgres

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shared is the server of this package's tests, set once before they run.
var shared *Server

func TestMain(m *testing.M) { Main(m, &shared) }

func query(t *testing.T, url, statement string) string {
	t.Helper()
	return shared.Query(t, url, statement)
}

func TestEachDatabaseIsEmptyAndSeparate(t *testing.T) {
	first, second := shared.Database(t), shared.Database(t)
	query(t, first, "CREATE TABLE note (text TEXT)")
	count := "SELECT count(*) FROM information_schema.tables WHERE table_name = 'note'"
	if got := query(t, first, count); got != "1" {
		t.Errorf("tables in the first database = %s", got)
	}
	if got := query(t, second, count); got != "0" {
		t.Errorf("tables in the second database = %s", got)
	}
}

func TestDatabaseIsDroppedAtTestEnd(t *testing.T) {
	t.Run("inner", func(t *testing.T) { query(t, shared.Database(t), "SELECT 1") })
	if got := query(t, shared.url("postgres"),
		"SELECT count(*) FROM pg_database WHERE datname LIKE 'test_%'"); got != "0" {
		t.Errorf("databases left = %s", got)
	}
}

func TestServerIsDurable(t *testing.T) {
	if got := query(t, shared.url("postgres"), "SHOW fsync"); got != "on" {
		t.Errorf("fsync = %s", got)
	}
}

func TestWrongPasswordIsRefused(t *testing.T) {
	url := strings.Replace(shared.url("postgres"), shared.password, "wrong", 1)
	if err := exec.CommandContext(t.Context(), shared.psql, "--command=SELECT 1", url).Run(); err == nil {
		t.Error("connected with a wrong password")
	}
}

func TestStopRemovesEverything(t *testing.T) {
	server, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	query(t, server.url("postgres"), "SELECT 1")
	server.Stop()
	if _, err := os.Stat(server.folder); !os.IsNotExist(err) {
		t.Errorf("folder %s: %v", server.folder, err)
	}
	if err := server.console.execute("SELECT 1"); err == nil {
		t.Error("the server still responds")
	}
}

func TestNewestCompleteVersionIsUsed(t *testing.T) {
	t.Setenv("PATH", "")
	root := t.TempDir()
	for _, name := range []string{"9/initdb", "9/postgres", "9/psql", "15/initdb", "15/postgres", "15/psql",
		"17/initdb"} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := findPrograms([]string{filepath.Join(root, "*")})
	if err != nil || filepath.Base(got) != "15" {
		t.Errorf("findPrograms = %s, %v", got, err)
	}
}

func TestMissingServerErrorExplainsInstallation(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := findPrograms([]string{filepath.Join(t.TempDir(), "*")})
	if err == nil || !strings.Contains(err.Error(), "run tools/install-testservers") {
		t.Errorf("findPrograms = %v", err)
	}
}

func TestCopyIsCompleteAndSeparate(t *testing.T) {
	original := shared.Database(t)
	query(t, original, "CREATE TABLE note (text TEXT)")
	query(t, original, "INSERT INTO note VALUES ('a')")
	copied := shared.Copy(t, original)
	query(t, copied, "INSERT INTO note VALUES ('b')")
	for url, want := range map[string]string{original: "a", copied: "a\nb"} {
		if got := query(t, url, "SELECT text FROM note ORDER BY text"); got != want {
			t.Errorf("notes = %q, want %q", got, want)
		}
	}
}

func TestFailedStatementDoesNotBlockNextOne(t *testing.T) {
	err := shared.console.execute("CREATE DATABASE postgres")
	if err == nil || !strings.Contains(err.Error(), `database "postgres" already exists`) {
		t.Errorf("error = %v", err)
	}
	if err := shared.console.execute("SET application_name = 'a'"); err != nil {
		t.Errorf("after a failed statement: %v", err)
	}
}
