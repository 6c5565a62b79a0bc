package gitea

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

const (
	// version is that of tools/testservers/gitea.sum; a test compares them.
	version = "v1.26.4"
	// startLife bounds the server's start, the making of its database included.
	startLife = time.Minute
	// pollEvery is the interval of readiness checks during the start.
	pollEvery = 20 * time.Millisecond
	// startTries is how many ports are tried, in case another process takes one between its choice and its use.
	startTries = 3
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
	files, err := findFiles()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLife)
	defer cancel()
	for try := 1; ; try++ {
		server, err := start(ctx, files)
		if err == nil {
			return server, nil
		}
		if try == startTries || !strings.Contains(err.Error(), "address already in use") {
			return nil, fmt.Errorf("start Gitea: %w", err)
		}
	}
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() { s.process.Stop() }

func start(ctx context.Context, files string) (*Server, error) {
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "lectern-gitea-")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://127.0.0.1:" + strconv.Itoa(port), folder: folder, admin: account{"root-of-tests", rand.Text()}}
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
	if err := s.awaitReady(ctx); err != nil {
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
	return append([]string{"env", "HOME=" + s.folder, s.program, "--work-path", s.folder, "--config", filepath.Join(s.folder, "app.ini")}, args...)
}

// awaitReady returns when the server and its database answer.
func (s *Server) awaitReady(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/healthz", nil)
	if err != nil {
		return err
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close() // only the status is of interest
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.process.Done():
			return fmt.Errorf("server ended:\n%s", s.process.Output())
		case <-ctx.Done():
			return fmt.Errorf("wait for server: %w:\n%s", ctx.Err(), s.process.Output())
		}
	}
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
