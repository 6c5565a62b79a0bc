package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// startPostgres creates a PostgreSQL cluster with default settings in a new folder and starts it. Call stop at the
// end.
func startPostgres(ctx context.Context) (url string, stop func() error, err error) {
	programs, err := postgresPrograms()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "lectern-bench-postgres-")
	if err != nil {
		return "", nil, err
	}
	gone := func() error { return os.RemoveAll(dir) }
	owner, err := postgresUser()
	password := rand.Text()
	if err == nil {
		// no secret: the server is local and runs only for minutes
		err = os.WriteFile(filepath.Join(dir, "password"), []byte(password), 0o644)
	}
	if err == nil && owner != nil {
		err = os.Chown(dir, int(owner.Uid), int(owner.Gid))
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, filepath.Join(programs, name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Credential: owner}
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // SIGINT is PostgreSQL's fast shutdown
		return cmd
	}
	if err == nil {
		var out []byte
		if out, err = run("initdb", "-D", filepath.Join(dir, "data"), "--username=bench", "--pwfile="+filepath.Join(dir,
			"password"), "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C").CombinedOutput(); err != nil {
			err = fmt.Errorf("initdb: %w: %s", err, out)
		}
	}
	if err != nil {
		return "", nil, errors.Join(err, gone())
	}
	address, err := freeAddress()
	if err != nil {
		return "", nil, errors.Join(err, gone())
	}
	_, port, _ := net.SplitHostPort(address)
	server := run("postgres", "-D", filepath.Join(dir, "data"), "-c", "listen_addresses=127.0.0.1", "-c", "port="+port,
		"-c", "unix_socket_directories="+dir)
	said, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return "", nil, errors.Join(err, gone())
	}
	stop = func() error {
		err := server.Process.Signal(syscall.SIGINT)
		return errors.Join(err, server.Wait(), gone())
	}
	var log strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if strings.Contains(lines.Text(), "ready to accept connections") {
			go func() { _, _ = io.Copy(io.Discard, said) }() // until the process exits
			return "postgres://bench:" + password + "@" + address + "/postgres?sslmode=disable", stop, nil
		}
		log.WriteString(lines.Text() + "\n")
	}
	return "", nil, errors.Join(fmt.Errorf("PostgreSQL did not become ready: %s", log.String()), stop())
}

// postgresPrograms returns the folder of the newest PostgreSQL version.
func postgresPrograms() (string, error) {
	if name, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(name), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed: run tools/install-testservers")
	}
	return slices.Max(found), nil
}

// postgresUser returns the user for the server: nil for the current one, unless that is root, which PostgreSQL
// refuses.
func postgresUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	found, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, errUID := strconv.ParseUint(found.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(found.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(errUID, errGID)
}
