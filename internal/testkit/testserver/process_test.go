package testserver_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// ownerFolder, when set, makes this test binary start a server in that folder
// and wait to be killed.
const ownerFolder = "TESTSERVER_OWNER_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(ownerFolder); folder != "" {
		own(folder)
	}
	os.Exit(m.Run())
}

// own prints the server's process id and waits forever.
func own(folder string) {
	p, err := testserver.Run(server(folder))
	if err != nil {
		panic(err)
	}
	if err := p.Await(context.Background(), "ready"); err != nil {
		panic(err)
	}
	os.Stdout.WriteString(p.Output())
	<-p.Done()
}

// server returns a program that prints its process id and keeps running.
func server(folder string) testserver.Command {
	return testserver.Command{
		Folder: folder,
		Signal: "TERM",
		Args:   []string{"/bin/sh", "-c", "touch file; echo $$ ready; exec sleep 1000"},
	}
}

func folder(t *testing.T) string {
	t.Helper()
	name, err := os.MkdirTemp("", "lectern-testserver-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(name) })
	return name
}

func TestStopEndsServerAndRemovesFolder(t *testing.T) {
	name := folder(t)
	p, err := testserver.Run(server(name))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Await(t.Context(), "ready"); err != nil {
		t.Fatal(err)
	}
	pid := serverID(t, p.Output())
	p.Stop()
	p.Stop()
	if alive(pid) {
		t.Errorf("server %d still runs", pid)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder still exists: %v", err)
	}
}

func TestServerEndsWhenTestProcessIsKilled(t *testing.T) {
	name := folder(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerFolder+"="+name)
	stdout, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid := serverID(t, line)
	if !alive(pid) {
		t.Fatalf("server %d does not run", pid)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait() // killed
	eventually(t, "the server's end", func() bool { return !alive(pid) })
	eventually(t, "the folder's removal", func() bool {
		_, err := os.Stat(name)
		return errors.Is(err, fs.ErrNotExist)
	})
}

func TestAwaitReportsOutputOfEndedServer(t *testing.T) {
	p, err := testserver.Run(testserver.Command{
		Folder: folder(t),
		Signal: "TERM",
		Args:   []string{"/bin/sh", "-c", "echo no such luck >&2; exit 3"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	if err := p.Await(t.Context(), "ready"); err == nil || !strings.Contains(err.Error(), "no such luck") {
		t.Errorf("Await = %v", err)
	}
}

func TestAwaitEndsWithContext(t *testing.T) {
	p, err := testserver.Run(server(folder(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Await(ctx, "never said"); !errors.Is(err, context.Canceled) {
		t.Errorf("Await = %v", err)
	}
}

func serverID(t *testing.T, line string) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.Fields(line)[0])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// alive reports whether the process is running. A process that has exited but has not been reaped yet is not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(string(state), "Z")
}

// eventually checks a condition of another process until it holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}
