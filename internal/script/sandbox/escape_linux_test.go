package sandbox

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// listeners returns two listeners of the machine that a program might reach: a port and an abstract socket.
func listeners(t *testing.T) (address, socket string) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tcp.Close() })
	socket = "lectern-sandbox-" + strconv.Itoa(os.Getpid()) + "-" + strings.ReplaceAll(t.Name(), "/", "-")
	unixes, err := net.Listen("unix", "@"+socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unixes.Close() })
	return tcp.Addr().String(), socket
}

// G1, G2: inside the sandbox there are no secrets, no files of the machine, no network, no processes other than the
// program's own, and no way to gain privileges.
func TestProgramCannotEscape(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		address, socket := listeners(t)
		secret := g.home + "/secret"
		if err := os.Symlink(secret, g.dir+"/link"); err != nil {
			t.Fatal(err)
		}
		o := g.run(Program{Words: inner("probe", address, socket, secret, strconv.Itoa(os.Getpid())),
			Env: []string{"NAME=given"}}, "")
		var found map[string]string
		if err := json.Unmarshal([]byte(o.Out), &found); err != nil || len(found) < 60 {
			t.Fatalf("%d tries, %v: %+v", len(found), err, o)
		}
		for what, came := range found {
			if came == "" {
				t.Errorf("the program could: %s", what)
			}
		}
	})
}

// G1: if the operator allows it, the program has network access; everything else stays forbidden.
func TestNetworkOnlyWhenAllowed(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		address, socket := listeners(t)
		o := g.run(Program{Words: inner("probe", address, socket, g.home+"/secret", strconv.Itoa(os.Getpid())),
			Network: true}, "")
		var found map[string]string
		if err := json.Unmarshal([]byte(o.Out), &found); err != nil {
			t.Fatalf("%v: %+v", err, o)
		}
		if found["dial"] != "" {
			t.Errorf("dial: %s", found["dial"])
		}
		network := []string{"dial", "dial the world", "send", "look up", "abstract socket"}
		for what, came := range found {
			if came == "" && !strings.Contains(strings.Join(network, ","), what) {
				t.Errorf("the program could: %s", what)
			}
		}
	})
}

// G1: with a proxy, the program reaches the proxy and nothing else, not even the machine's loopback.
func TestProxyIsTheOnlyWayToTheNetwork(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		g.greets = true
		if o := g.run(Program{Words: inner("asks")}, ""); o.Out != "outside true" {
			t.Errorf("%+v", o)
		}
		address, socket := listeners(t)
		o := g.run(Program{Words: inner("probe", address, socket, g.home+"/secret", strconv.Itoa(os.Getpid()))}, "")
		var found map[string]string
		if err := json.Unmarshal([]byte(o.Out), &found); err != nil {
			t.Fatalf("%v: %+v", err, o)
		}
		for what, came := range found {
			if came == "" {
				t.Errorf("the program could: %s", what)
			}
		}
		g.role = "forbidden" // the listener is never sent
		if o := g.run(Program{Words: inner("asks")}, ""); o.Code != "sandbox_unavailable" {
			t.Errorf("%+v", o)
		}
	})
}

// Files that a program leaves behind belong to the operator afterwards, including those in folders without permissions.
// Links to the outside are not followed.
func TestFolderBelongsToTheCallerAfterTheRun(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		var before, after unix.Stat_t
		if err := unix.Stat("/etc/passwd", &before); err != nil {
			t.Fatal(err)
		}
		if o := g.run(Program{Words: inner("hides")}, ""); o.Err != "" || o.Exit != 0 {
			t.Fatalf("%+v", o)
		}
		if err := unix.Stat("/etc/passwd", &after); err != nil ||
			before != after && (before.Uid != after.Uid || before.Mode != after.Mode) {
			t.Errorf("/etc/passwd changed: %v", err)
		}
		for _, name := range []string{"closed", "closed/inner", "closed/inner/f", "not\xfftext", "outward"} {
			var s unix.Stat_t
			if err := unix.Lstat(filepath.Join(g.dir, name), &s); err != nil || int(s.Uid) != g.uid {
				t.Errorf("%q belongs to %d: %v", name, s.Uid, err)
			}
			if s.Mode&unix.S_IFMT == unix.S_IFDIR && s.Mode&0o700 != 0o700 {
				t.Errorf("%q has mode %o", name, s.Mode)
			}
		}
		if err := os.RemoveAll(g.dir); err != nil {
			t.Error(err)
		}
	})
}
