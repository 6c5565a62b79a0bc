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
	// version equals the one in tools/testservers/gitea.sum; a test compares them.
	version = "v1.26.4"
	// startLife limits the time to start the server, including the creation of its database.
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

// Start starts an empty server on a free loopback port. If the tests run as root, the server runs as another user,
// because Gitea refuses to run as root.
func Start(ctx context.Context) (*Server, error) {
	files, err := testserver.Installed("gitea-" + version)
	if err != nil {
		return nil, err
	}
	return testserver.Start(ctx, "Gitea", startLife, func(ctx context.Context, port int) (*Server, error) {
		return start(ctx, files, port)
	})
}

// Stop stops the server and removes its folder.
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
		Signal: "KILL", // its data is not needed any more
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

// command returns a command line that runs the program with the server's folder as home, where it looks for keys.
func (s *Server) command(args ...string) []string {
	return append([]string{"env", "HOME=" + s.folder, s.program, "--work-path", s.folder, "--config",
		filepath.Join(s.folder, "app.ini")}, args...)
}

// makeAdmin creates the administrator, who creates all other users. Only the program itself can create the first
// user.
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
