package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

const (
	superuser = "lectern"
	// startLife limits the time to create a cluster and to start its server.
	startLife = time.Minute
)

// Server is a running PostgreSQL.
type Server struct {
	process  *testserver.Process
	console  *console
	psql     string // path of the program
	password string
	port     int
	folder   string
}

// Start creates a cluster in a temporary folder and starts its server on a free loopback port and on a socket in
// that folder. It is as durable as in production: fsync stays enabled. If the tests run as root, the server runs as
// another user, because PostgreSQL refuses to run as root.
func Start(ctx context.Context) (*Server, error) {
	programs, err := findPrograms(places())
	if err != nil {
		return nil, err
	}
	return testserver.Start(ctx, "PostgreSQL", startLife, func(ctx context.Context, port int) (*Server, error) {
		return start(ctx, programs, port)
	})
}

// Stop stops the server and removes its folder.
func (s *Server) Stop() {
	s.process.Stop()
	s.console.close()
}

func start(ctx context.Context, programs string, port int) (*Server, error) {
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	folder, err := makeFolder(owner)
	if err != nil {
		return nil, err
	}
	s := &Server{psql: filepath.Join(programs, "psql"), password: rand.Text(), port: port, folder: folder}
	if err := s.initialize(ctx, programs, owner); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.process, err = testserver.Run(testserver.Command{
		Folder: folder,
		User:   owner,
		Signal: "QUIT", // PostgreSQL's immediate stop
		Args: []string{filepath.Join(programs, "postgres"), "-D", filepath.Join(folder, "data"),
			"-c", "listen_addresses=127.0.0.1",
			"-c", "port=" + strconv.Itoa(port),
			"-c", "unix_socket_directories=" + folder,
			"-c", "shared_buffers=32MB",
			"-c", "timezone=UTC",
		},
	})
	if err != nil {
		return nil, err
	}
	err = s.process.Await(ctx, "ready to accept connections")
	if err == nil {
		s.console, err = openConsole(s.psql, s.url("postgres"))
	}
	if err != nil {
		s.process.Stop()
		return nil, err
	}
	return s, nil
}

// makeFolder creates the temporary folder and gives it to the server's user.
func makeFolder(owner *syscall.Credential) (string, error) {
	folder, err := os.MkdirTemp("", "lectern-postgres-")
	if err != nil {
		return "", err
	}
	if owner == nil {
		return folder, nil
	}
	if err := os.Chown(folder, int(owner.Uid), int(owner.Gid)); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	return folder, nil
}

// initialize creates the cluster. Only this step runs without fsync; all later writes of the server are synced.
func (s *Server) initialize(ctx context.Context, programs string, owner *syscall.Credential) error {
	secret := filepath.Join(s.folder, "password")
	if err := os.WriteFile(secret, []byte(s.password), 0o600); err != nil {
		return err
	}
	if owner != nil {
		if err := os.Chown(secret, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "initdb"), "-D", filepath.Join(s.folder, "data"),
		"--username="+superuser, "--pwfile="+secret, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--no-sync")
	cmd.Dir = s.folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create cluster: %w:\n%s", err, output)
	}
	return nil
}

// serverUser returns the user that the server runs as, or nil for the current user. As root it returns another
// user.
func serverUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(found.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(found.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}
