package scriptproc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain lets the test binary also act as the children that its tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "as-child" {
		if err := asChild(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func asChild(role string, args []string) error {
	if role == "fails" {
		return fmt.Errorf("no rights to take")
	}
	if err := Confine(); err != nil {
		return err
	}
	switch role {
	case "probe":
		return json.NewEncoder(os.Stdout).Encode(probe(args[0], args[1]))
	case "waits":
		_, err := os.Stdout.WriteString("ready\n")
		if err == nil {
			_, err = io.Copy(io.Discard, os.Stdin)
		}
		return err
	case "eats":
		var all [][]byte
		for range 1024 {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
		}
		_, err := fmt.Println(len(all))
		return err
	}
	return fmt.Errorf("no role %q", role)
}

// probe tries everything that a child must not be able to do, and returns the error of each attempt, or "" if it
// succeeded.
func probe(address, parent string) map[string]string {
	out := map[string]string{"environment": "empty"}
	if env := os.Environ(); len(env) > 0 {
		out["environment"] = ""
	}
	pid, _ := strconv.Atoi(parent)
	try := func(what string, f func() error) {
		out[what] = ""
		if err := f(); err != nil {
			out[what] = err.Error()
		}
	}
	try("read a file", func() error { _, err := os.ReadFile("/etc/passwd"); return err })
	try("read itself", func() error { _, err := os.ReadFile("/proc/self/environ"); return err })
	try("list a folder", func() error { _, err := os.ReadDir("/"); return err })
	try("write a file", func() error { return os.WriteFile("/tmp/x", nil, 0o600) })
	try("write here", func() error { return os.WriteFile("x", nil, 0o600) })
	try("remove a file", func() error { return os.Remove("/tmp") })
	try("dial", func() error { _, err := net.Dial("tcp", address); return err })
	try("listen", func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err })
	try("send", func() error { _, err := net.Dial("udp", address); return err })
	try("socket pair", func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err })
	try("pipe", func() error { return unix.Pipe(make([]int, 2)) })
	try("copy a descriptor", func() error { _, err := unix.Dup(0); return err })
	try("run a program", func() error { return exec.Command("/bin/true").Run() })
	try("become a program", func() error { return unix.Exec("/bin/true", []string{"true"}, nil) })
	try("signal its parent", func() error { return unix.Kill(pid, 0) })
	try("signal a thread of its parent", func() error { return unix.Tgkill(pid, pid, 0) })
	try("trace its parent", func() error { return unix.PtraceAttach(pid) })
	try("read its parent's memory", func() error {
		_, err := unix.ProcessVMReadv(pid, nil, nil, 0)
		return err
	})
	try("lift a limit", func() error { return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: 100}) })
	try("new code", func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
		return err
	})
	try("new root", func() error { return unix.Chroot("..") })
	try("mount", func() error { return unix.Mount("x", "/", "tmpfs", 0, "") })
	try("new namespace", func() error { return unix.Unshare(unix.CLONE_NEWUSER) })
	return out
}

func starter(t *testing.T, args ...string) *Starter {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CANARY", "secret")
	return New(Options{Exe: exe, Args: append([]string{"as-child"}, args...)})
}

func start(t *testing.T, s *Starter) *Child {
	t.Helper()
	c, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// withAndWithout runs a test without namespaces and, if this kernel permits them, with namespaces.
func withAndWithout(t *testing.T, test func(t *testing.T, plain bool)) {
	t.Helper()
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprintf("plain=%v", plain), func(t *testing.T) { test(t, plain) })
	}
}

// C2: no files, no network, no environment, no other processes, with and without namespaces.
func TestChildCanReachNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	withAndWithout(t, func(t *testing.T, plain bool) {
		s := starter(t, "probe", l.Addr().String(), strconv.Itoa(os.Getpid()))
		s.plain.Store(plain)
		c := start(t, s)
		var got map[string]string
		if err := json.NewDecoder(c).Decode(&got); err != nil {
			c.Kill()
			t.Fatalf("%v: %s", err, c.stderr.String())
		}
		if len(got) < 20 {
			t.Errorf("only %d probes", len(got))
		}
		for what, refusal := range got {
			if refusal == "" {
				t.Errorf("the child can: %s", what)
			}
		}
	})
}

// The probe must be able to succeed. Otherwise, its failures would prove nothing.
func TestProbeSucceedsWithoutConfinement(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	t.Setenv("CANARY", "secret")
	for what, refusal := range map[string]error{
		"read": func() error { _, err := os.ReadFile("/etc/passwd"); return err }(),
		"dial": func() error { _, err := net.Dial("tcp", l.Addr().String()); return err }(),
		"run":  exec.Command("/bin/true").Run(),
		"code": func() error {
			_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
			return err
		}(),
	} {
		if refusal != nil {
			t.Errorf("%s: %v", what, refusal)
		}
	}
}

// C2: the kernel reports the same limits, namespaces and filter.
func TestKernelEnforcesTheConfinement(t *testing.T) {
	withAndWithout(t, func(t *testing.T, plain bool) {
		s := starter(t, "waits")
		s.plain.Store(plain)
		c := start(t, s)
		if line, err := bufio.NewReader(c).ReadString('\n'); line != "ready\n" {
			t.Fatal(line, err)
		}
		proc := "/proc/" + strconv.Itoa(c.PID())
		if env, err := os.ReadFile(proc + "/environ"); err != nil || len(env) > 0 {
			t.Errorf("environment %q, %v", env, err)
		}
		threads, err := filepath.Glob(proc + "/task/*/status")
		if err != nil || len(threads) == 0 {
			t.Fatal(threads, err)
		}
		for _, name := range threads {
			status := read(t, name)
			if !strings.Contains(status, "NoNewPrivs:\t1\n") || !strings.Contains(status, "Seccomp:\t2\n") {
				t.Errorf("a thread is not confined:\n%s", status)
			}
		}
		limits := strings.Join(strings.Fields(read(t, proc+"/limits")), " ")
		for _, want := range []string{"Max cpu time 300 300", "Max file size 0 0", "Max core file size 0 0",
			"Max open files 0 0", "Max data size 268435456 268435456"} {
			if !strings.Contains(limits, want) {
				t.Errorf("%q is not among the limits %s", want, limits)
			}
		}
		if s.plain.Load() {
			return
		}
		for _, ns := range []string{"user", "net", "ipc", "uts", "pid"} {
			ours, _ := os.Readlink("/proc/self/ns/" + ns)
			theirs, err := os.Readlink(proc + "/ns/" + ns)
			if err != nil || ours == theirs {
				t.Errorf("namespace %s: ours %s, the child's %s, %v", ns, ours, theirs, err)
			}
		}
		if root, err := os.Readlink(proc + "/root"); err != nil || !strings.HasSuffix(root, "/fdinfo") {
			t.Errorf("root %s, %v", root, err)
		}
		if routes := strings.Count(read(t, proc+"/net/route"), "\n"); routes > 1 {
			t.Errorf("%d routes", routes-1)
		}
	})
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// C2: the kernel limits memory, in addition to the engine's own limit.
func TestChildThatExceedsItsMemoryEnds(t *testing.T) {
	c := start(t, starter(t, "eats"))
	if out, err := io.ReadAll(c); err != nil || len(out) > 0 {
		t.Errorf("the child allocated 1 GB: %s, %v", out, err)
	}
	c.Kill()
	// the message depends on which part of the runtime fails first
	if words := c.stderr.String(); !strings.Contains(words, "out of memory") &&
		!strings.Contains(words, "cannot allocate memory") || len(words) > maxHead {
		t.Errorf("the child ended for another reason: %s", words)
	}
	if peak := c.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; peak > Memory+64<<20 {
		t.Errorf("the child used %d MB", peak>>20)
	}
}

func TestKillEndsTheChildAndMayBeRepeated(t *testing.T) {
	c := start(t, starter(t, "waits"))
	c.Kill()
	c.Kill()
	if err := syscall.Kill(c.PID(), 0); err != syscall.ESRCH {
		t.Errorf("signal: %v", err)
	}
	if _, err := c.Write([]byte("x")); err == nil {
		t.Error("a dead child was written to")
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a dead child was read from")
	}
}

func TestChildFailureIsLogged(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	s := starter(t, "fails")
	s.opt.Logger = logger
	c := start(t, s)
	if _, err := io.ReadAll(c); err != nil {
		t.Error(err)
	}
	c.Kill()
	if !strings.Contains(log.String(), "no rights to take") {
		t.Errorf("log %s", log.String())
	}
	for _, exe := range []string{"", "/nowhere/lectern"} {
		log.Reset()
		if _, err := New(Options{Exe: exe, Logger: logger}).Start(); err == nil ||
			!strings.Contains(log.String(), "failed to start script process") {
			t.Errorf("%q: %v, log %s", exe, err, log.String())
		}
	}
}
