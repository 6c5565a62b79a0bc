package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// statementLife bounds the making or dropping of a database.
const statementLife = 30 * time.Second

// Database makes an empty database and returns its URL. It is dropped at the
// test's end, with any connection still open to it.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	if err := s.execute("CREATE DATABASE " + name); err != nil {
		t.Fatalf("create database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.execute("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return s.url(name)
}

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", superuser, s.password, s.port, database)
}

// execute runs one statement with psql. A database driver would be a second
// user of a library that belongs to another package.
func (s *Server) execute(statement string) error {
	// Not the test's context: that has ended when the cleanup runs.
	ctx, cancel := context.WithTimeout(context.Background(), statementLife)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.psql, "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1",
		"--command="+statement, s.url("postgres"))
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}

// Query runs one statement on a database that Database made and returns what it found: a line for each row, columns
// apart by "|".
func (s *Server) Query(t testing.TB, url, statement string) string {
	t.Helper()
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
