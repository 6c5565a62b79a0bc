package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"
)

// statementLife limits the time of a query.
const statementLife = 30 * time.Second

// Database creates an empty database and returns its URL. At the end of the test the database is dropped, including
// open connections.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.create(t, "template1")
}

// Copy creates a copy of a database from Database and returns its URL. The original must have no open connections.
// The copy is dropped at the end of the test.
func (s *Server) Copy(t testing.TB, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	return s.create(t, path.Base(u.Path))
}

func (s *Server) create(t testing.TB, template string) string {
	t.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	if err := s.console.execute("CREATE DATABASE " + name + " TEMPLATE " + template); err != nil {
		t.Fatalf("create database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.console.execute("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return s.url(name)
}

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", superuser, s.password, s.port, database)
}

// Query runs one statement on a database from Database and returns the result: one line per row, with columns
// separated by "|".
func (s *Server) Query(t testing.TB, url, statement string) string {
	t.Helper()
	// The test's context is not used, because it has ended when a cleanup function runs.
	ctx, cancel := context.WithTimeout(context.Background(), statementLife)
	defer cancel()
	output, err := exec.CommandContext(ctx, s.psql, "--no-psqlrc", "--tuples-only", "--no-align", "--quiet",
		"--set=ON_ERROR_STOP=1",
		"--command="+statement, url).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", statement, err, output)
	}
	return strings.TrimSpace(string(output))
}
