package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// TestMain lets the test binary also run the stages of its sandboxes, the operators that start them, and the programs
// that run in them.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == Command {
		os.Exit(Enter(os.Args[2]))
	}
	if len(os.Args) > 2 && os.Args[1] == "as" {
		if err := as(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func as(role string, args []string) error {
	switch role {
	case "operator":
		return operate()
	case "forbidden": // an operator in a container whose filter refuses namespaces
		const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID
		runtime.LockOSThread() // the filter requires that this same thread has set no_new_privs
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
		err := seccomp.Install([]seccomp.Rule{{Call: unix.SYS_UNSHARE, Do: seccomp.Refuse},
			{Call: unix.SYS_CLONE3, Do: seccomp.Missing},
			{Call: unix.SYS_CLONE, Mask: namespaces, Not: true, Do: seccomp.Refuse}}, seccomp.Allow)
		if err != nil {
			return err
		}
		return operate()
	case "masked": // an operator in a container whose /proc is partly masked
		if err := unix.Mount("tmpfs", "/proc/irq", "tmpfs", unix.MS_RDONLY, ""); err != nil {
			return err
		}
		return operate()
	}
	return inSandbox(role, args)
}

// wish is the input of an operator's process.
type wish struct {
	Program
	Stdin, Stdout, Stderr, Proxy any // hide the program's
	Exe                          string
	Input                        string
	Greets                       bool // the program's proxy is greet
}

// outcome is the output of an operator's process.
type outcome struct {
	Result
	Out  string
	Code string // of a fault
	Err  string
}

// operate is an operator's process: it runs one program in a sandbox. With "-" as its input, the program writes
// directly to its standard output.
func operate() error {
	var w wish
	if err := json.NewDecoder(os.Stdin).Decode(&w); err != nil {
		return err
	}
	box := New(Options{Exe: w.Exe, Args: []string{Command}})
	if w.Input == "-" {
		w.Program.Stdout = os.Stdout
		_, err := box.Run(context.Background(), w.Program)
		return err
	}
	if w.Greets {
		w.Program.Proxy = greet
	}
	var buffer bytes.Buffer
	w.Program.Stdin, w.Program.Stdout, w.Program.Stderr = strings.NewReader(w.Input), &buffer, &buffer
	r, err := box.Run(context.Background(), w.Program)
	out := outcome{Result: r, Out: buffer.String()}
	if err != nil {
		out.Err = err.Error()
		if f, ok := fault.As(err); ok {
			out.Code = f.Code
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// greet serves a proxy's listener from outside of the sandbox.
func greet(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		host, _ := os.Hostname()
		_, _ = fmt.Fprintf(c, "outside %v", host != "sandbox")
		_ = c.Close()
	}
}

// fixture is the user, folders and executable of one test.
type fixture struct {
	t    *testing.T
	role string
	uid  int    // the operator's
	exe  string // a copy of this program that everybody can read
	dir  string // the program's folder
	home string // the operator's folder around it, which others cannot access

	greets bool // programs have a proxy
}

// asEachUser runs a test with an operator who is not root and, if this process is root, also with root.
func asEachUser(t *testing.T, test func(t *testing.T, g *fixture)) {
	t.Helper()
	uids := map[string]int{"user": os.Getuid()}
	if os.Getuid() == 0 {
		uids = map[string]int{"root": 0, "user": 12345}
	}
	for name, uid := range uids {
		t.Run(name, func(t *testing.T) { test(t, newFixture(t, uid)) })
	}
}

func newFixture(t *testing.T, uid int) *fixture {
	t.Helper()
	base, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	g := &fixture{t: t, role: "operator", uid: uid, exe: filepath.Join(base, "lectern"),
		home: filepath.Join(base, "home"), dir: filepath.Join(base, "home", "docs")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.Chmod(base, 0o755), os.WriteFile(g.exe, data, 0o755), os.MkdirAll(g.dir, 0o700),
		os.WriteFile(filepath.Join(g.home, "secret"), []byte("canary-file"), 0o644),
		os.WriteFile(filepath.Join(g.dir, "page.mdx"), []byte("# Hi\n"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() == 0 {
		for _, p := range []string{g.home, g.dir, g.home + "/secret", g.dir + "/page.mdx"} {
			if err := os.Chown(p, uid, uid); err != nil {
				t.Fatal(err)
			}
		}
	}
	return g
}

// command returns an operator's process that will run p.
func (g *fixture) command(p Program, input string) *exec.Cmd {
	g.t.Helper()
	p.Dir = g.dir
	got, err := json.Marshal(wish{Program: p, Exe: g.exe, Input: input, Greets: g.greets})
	if err != nil {
		g.t.Fatal(err)
	}
	cmd := exec.CommandContext(g.t.Context(), g.exe, "as", g.role)
	cmd.Env = []string{"CANARY=canary-env", "GIT_TOKEN=canary-git"}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(got), os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if g.uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(g.uid), Gid: uint32(g.uid)}
	}
	if g.role == "masked" {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: g.uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: g.uid, Size: 1}}
		cmd.SysProcAttr.Credential = nil
	}
	return cmd
}

func (g *fixture) run(p Program, input string) outcome {
	g.t.Helper()
	cmd := g.command(p, input)
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("operator: %v", err)
	}
	var o outcome
	if err := json.Unmarshal(out, &o); err != nil {
		g.t.Fatalf("operator said %q: %v", out, err)
	}
	return o
}

// inner returns the command line of this test binary as a program in the sandbox.
func inner(role string, args ...string) []string { return append([]string{self, "as", role}, args...) }

func TestProgramReadsAndWritesItsFolder(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		script := `cat > said.txt; pwd; id -u; hostname; sed -i s/Hi/Hello/ page.mdx; mkdir -p a/b; echo x > a/b/c; echo $NAME; echo t > /tmp/t; cat /tmp/t; echo err >&2; exit 7`
		o := g.run(Program{Words: []string{"sh", "-c", script}, Env: []string{"NAME=value"}}, "the prompt")
		if o.Err != "" || o.Exit != 7 || o.Exceeded != "" || o.Out != "/docs\n1000\nsandbox\nvalue\nt\nerr\n" {
			t.Fatalf("%+v", o)
		}
		for name, want := range map[string]string{"said.txt": "the prompt", "page.mdx": "# Hello\n", "a/b/c": "x\n"} {
			if got, err := os.ReadFile(filepath.Join(g.dir, name)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			var s unix.Stat_t
			if err := unix.Stat(filepath.Join(g.dir, name), &s); err != nil || int(s.Uid) != g.uid {
				t.Errorf("%s belongs to %d, not to the operator %d: %v", name, s.Uid, g.uid, err)
			}
		}
	})
}

func TestMissingProgramIsNamed(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		for _, name := range []string{"no-such-program", "/usr/bin/no-such-program", g.home + "/tool", "/etc",
			"./page.mdx"} {
			if o := g.run(Program{Words: []string{name}}, ""); o.Code != "program_not_found" {
				t.Errorf("%s: %+v", name, o)
			}
		}
	})
}

func TestReadableFoldersKeepTheirPath(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		tools := filepath.Join(filepath.Dir(g.exe), "tools")
		for _, err := range []error{os.MkdirAll(tools+"/v2", 0o755),
			os.WriteFile(tools+"/v2/tool", []byte("#!/bin/sh\necho tool; echo x > "+tools+"/v2/x"), 0o755),
			os.Symlink("v2", tools+"/current")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, readable := range []string{tools, tools + "/current"} {
			o := g.run(Program{Words: []string{tools + "/current/tool"}, Readable: []string{readable}}, "")
			if !strings.HasPrefix(o.Out, "tool\n") || !strings.Contains(o.Out, "Read-only file system") || o.Err != "" {
				t.Errorf("%s: %+v", readable, o)
			}
		}
		if o := g.run(Program{Words: []string{"true"}, Readable: []string{"/no/such/folder"}}, ""); o.Err == "" {
			t.Error("a missing folder was accepted")
		}
	})
}

// If the kernel or the container forbids what the sandbox needs, nothing runs, and the fault says why.
func TestNothingRunsWithoutASandbox(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		g.role = "forbidden"
		o := g.run(Program{Words: []string{"sh", "-c", "echo ran > /docs/ran"}}, "")
		if o.Code != "sandbox_unavailable" {
			t.Errorf("%+v", o)
		}
		if _, err := os.Stat(g.dir + "/ran"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the program ran: %v", err)
		}
	})
	if err := New(Options{}).Check(t.Context()); !fault.HasCode(err, "sandbox_unavailable") {
		t.Errorf("without a program: %v", err)
	}
}

// A container with a masked /proc may not mount its own, so the sandbox is unavailable there too.
func TestMaskedProcMakesTheSandboxUnavailable(t *testing.T) {
	g := newFixture(t, os.Getuid())
	g.role = "masked"
	o := g.run(Program{Words: []string{"sh", "-c", "echo ran"}}, "")
	if o.Code != "sandbox_unavailable" || !strings.Contains(o.Err, "mount /proc") || o.Out != "" {
		t.Errorf("%+v", o)
	}
}

func TestCheckReportsWhetherTheSandboxIsAvailable(t *testing.T) {
	g := newFixture(t, os.Getuid())
	if err := New(Options{Exe: g.exe, Args: []string{Command}}).Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := New(Options{Exe: "/no/such/file", Args: []string{Command}}).
		Check(t.Context()); !fault.HasCode(err, "sandbox_unavailable") {
		t.Error(err)
	}
}

// J8: when the process that started a sandbox is killed, everything in the sandbox ends.
func TestSandboxEndsWithItsParent(t *testing.T) {
	asEachUser(t, func(t *testing.T, g *fixture) {
		cmd := g.command(Program{Words: []string{"sh", "-c", "setsid sleep 1000 & echo up; sleep 1000"}}, "-")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 3)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		// reading ends when the last process that holds the pipe has exited
		if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
		_ = cmd.Wait()
	})
}
