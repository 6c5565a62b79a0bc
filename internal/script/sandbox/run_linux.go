package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func (b *Box) run(ctx context.Context, p Program, probe bool) (Result, error) {
	if b.opt.Exe == "" {
		return Result{}, unavailable(errors.New("path of the executable is unknown"))
	}
	exe, err := filepath.EvalSymlinks(b.opt.Exe)
	if err != nil {
		return Result{}, unavailable(fmt.Errorf("find executable: %w", err))
	}
	o := order{Exe: exe, Args: b.opt.Args, Words: p.Words, Dir: p.Dir, Env: p.Env, Readable: p.Readable,
		Network: p.Network, Proxy: p.Proxy != nil && !p.Network,
		Limits: p.Limits.OrDefault(), Probe: probe, Root: canSkipUserNamespace()}
	if !probe {
		if o.Dir, err = filepath.EvalSymlinks(p.Dir); err != nil {
			return Result{}, fmt.Errorf("find program folder: %w", err)
		}
		if o.Root {
			if err := chownTree(o.Dir, owner{nobody, nobody}, o.Limits.Files); err != nil {
				return Result{}, fmt.Errorf("change owner of program folder: %w", err)
			}
		}
		// the error is ignored: if the owner of some files cannot be restored, reading them will fail later too
		defer func() { _ = chownTree(o.Dir, owner{os.Getuid(), os.Getgid()}, o.Limits.Files) }()
	}
	return b.enter(ctx, o, p)
}

var errTime = errors.New("time limit exceeded")

func (b *Box) enter(ctx context.Context, o order, p Program) (Result, error) {
	runtime.LockOSThread() // the first stage dies with the thread that started it
	defer runtime.UnlockOSThread()
	timed, cancel := context.WithTimeoutCause(ctx, o.Limits.Wall, errTime)
	defer cancel()
	l, err := newLink()
	if err != nil {
		return Result{}, err
	}
	defer l.close()
	cmd := exec.CommandContext(timed, "/proc/self/exe", append(append([]string{}, b.opt.Args...), "enter")...)
	if self, err := os.Executable(); err != nil || self != b.opt.Exe {
		cmd.Path = o.Exe
	}
	cmd.Args[0], cmd.Env, cmd.Dir = "lectern", []string{}, "/"
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = p.Stdin, p.Stdout, p.Stderr, l.theirs
	cmd.SysProcAttr = attributes(o)
	if o.Proxy {
		proxyLink, err := newProxyLink()
		if err != nil {
			return Result{}, err
		}
		defer proxyLink.close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, proxyLink.theirs)
		proxyLink.serve(p.Proxy)
	}
	cmd.WaitDelay = 10 * time.Second // the pipes close when the process exits; this is for a reader of ours that blocks
	if err := cmd.Start(); err != nil {
		return Result{}, unavailable(fmt.Errorf("start: %w", err))
	}
	l.started()
	got, err := exchange(l, o)
	if err != nil {
		_ = cmd.Process.Kill()
	}
	waited := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case timed.Err() != nil:
		return Result{Exit: 128 + int(syscall.SIGKILL), Exceeded: "time"}, nil
	case err != nil:
		return Result{}, fmt.Errorf("read sandbox report: %w", errors.Join(err, waited))
	}
	return got.result(o)
}

// exchange sends the order to a stage and reads its report. It returns io.EOF if the stage exited, or became the
// program, without sending one.
func exchange(l *link, o order) (report, error) {
	if err := writeMessage(l.order, o); err != nil {
		return report{}, err
	}
	var got report
	return got, readMessage(l.report, &got)
}

func (r report) result(o order) (Result, error) {
	switch {
	case r.Missing:
		return Result{}, notFound(o.Words[0])
	case r.Stage != "":
		return Result{}, unavailable(fmt.Errorf("%s: %s", r.Stage, r.Error))
	}
	return Result{Exit: r.Exit, Exceeded: r.Exceeded}, nil
}

// attributes returns the process attributes of the first stage: it has its own namespaces and no terminal, and dies
// with this process.
func attributes(o order) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS}
	if !o.Network {
		a.Cloneflags |= unix.CLONE_NEWNET
	}
	if !o.Root {
		// Inside the namespace, the process is root; outside, it is the current user. It may therefore mount in its own
		// namespace, but has no privileges outside.
		a.Cloneflags |= unix.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}
