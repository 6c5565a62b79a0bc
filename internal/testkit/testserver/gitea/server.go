package gitea

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

const (
	// version is that of tools/testservers/gitea.sum; a test compares them.
	version = "v1.26.4"
	// startLife bounds the server's start, the making of its database included.
	startLife = time.Minute
)

// Server is a running Gitea.
type Server struct {
	URL string // http://127.0.0.1:port, without a final slash

	process *testserver.Process
	program string // path
	folder  string
	owner   *syscall.Credential // nil means the current user
	admin   account
}

type account struct{ name, password string }

// Start makes an empty server on a free loopback port. As root it runs as another user, because Gitea insists on it.
func Start(ctx context.Context) (*Server, error) {
	files, err := testserver.Installed("gitea-" + version)
	if err != nil {
		return nil, err
	}
	return testserver.Start(ctx, "Gitea", startLife, func(ctx context.Context, port int) (*Server, error) {
		return start(ctx, files, port)
	})
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() { s.process.Stop() }

func start(ctx context.Context, files string, port int) (*Server, error) {
	folder, err := os.MkdirTemp("", "lectern-gitea-")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://127.0.0.1:" + strconv.Itoa(port), folder: folder,
		admin: account{"root-of-tests", rand.Text()}}
	if err := s.prepare(files, port); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.process, err = testserver.Run(testserver.Command{
		Folder: folder,
		User:   s.owner,
		Signal: "KILL", // its data is thrown away
		Args:   s.command("web"),
	})
	if err != nil {
		return nil, err
	}
	if err := s.process.AwaitOK(ctx, s.URL+"/api/healthz"); err != nil {
		s.Stop()
		return nil, err
	}
	if err := s.makeAdmin(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// command runs the program with its folder as home, where it would look for a person's keys.
func (s *Server) command(args ...string) []string {
	return append([]string{"env", "HOME=" + s.folder, s.program, "--work-path", s.folder, "--config",
		filepath.Join(s.folder, "app.ini")}, args...)
}

// makeAdmin makes the user that makes all others; only the program itself can.
func (s *Server) makeAdmin(ctx context.Context) error {
	args := s.command("admin", "user", "create", "--admin", "--username", s.admin.name, "--password", s.admin.password,
		"--email", s.admin.name+"@example.com", "--must-change-password=false")
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = s.folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner}
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create administrator: %w:\n%s", err, output)
	}
	return nil
}
