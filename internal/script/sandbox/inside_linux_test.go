package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// inSandbox implements the programs that tests run inside the sandbox.
func inSandbox(role string, args []string) error {
	switch role {
	case "probe":
		return json.NewEncoder(os.Stdout).Encode(probe(args))
	case "forks":
		return forks()
	case "eats":
		mb, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		return eats(mb)
	case "eat together":
		for range 8 {
			if err := exec.Command(self, "as", "eats", "40").Start(); err != nil {
				return err
			}
		}
		time.Sleep(time.Hour)
		return nil
	case "fills":
		return fills(args[0])
	case "asks":
		c, err := net.Dial("tcp", ProxyAddress)
		if err != nil {
			return err
		}
		_, err = io.Copy(os.Stdout, c)
		return err
	case "hides":
		return hides()
	}
	return fmt.Errorf("no role %q", role)
}

// probe tries everything that a program must not be able to do, and returns the error of each attempt, or "" if it
// succeeded. args are the address of a listener on the machine, and the names of an abstract socket, a secret file and
// a process there.
func probe(args []string) map[string]string {
	address, socket, secret := args[0], args[1], args[2]
	pid, _ := strconv.Atoi(args[3])
	out := map[string]string{}
	try := func(what string, f func() error) {
		out[what] = ""
		if err := f(); err != nil {
			out[what] = err.Error()
		}
	}
	read := func(name string) func() error {
		return func() error {
			if b, err := os.ReadFile(name); err != nil || len(b) > 0 {
				return err
			}
			return errors.New("nothing in it") // covered
		}
	}
	write := func(name string) func() error {
		return func() error { return os.WriteFile(name, []byte("x"), 0o600) }
	}
	raw := func(call uintptr, a ...uintptr) func() error {
		for len(a) < 6 {
			a = append(a, 0)
		}
		return func() error {
			if _, _, errno := unix.Syscall6(call, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
				return errno
			}
			return nil
		}
	}

	// Environment and processes.
	try("environment", func() error { return absent(strings.Join(os.Environ(), "\n")) })
	try("others' environment", othersEnvironment)
	try("more processes", onlyOwnProcesses)
	for _, name := range []string{"environ", "mem", "maps", "root", "cwd", "fd/0", "exe"} {
		try("process 1's "+name, func() error {
			f, err := os.Open("/proc/1/" + name)
			if err == nil {
				_ = f.Close()
			}
			return err
		})
	}
	try("trace process 1", func() error { return unix.PtraceAttach(1) })
	try("trace itself", raw(unix.SYS_PTRACE))
	try("read process 1's memory", raw(unix.SYS_PROCESS_VM_READV, 1))
	try("take a file of process 1", raw(unix.SYS_PIDFD_GETFD, 0, 0))
	try("end process 1", func() error {
		if err := unix.Kill(1, unix.SIGKILL); err != nil {
			return err
		}
		return errors.New("we are still here")
	})
	try("signal a process of the machine", func() error { return unix.Kill(pid, 0) })

	// Files.
	for _, name := range []string{secret, "/docs/.." + secret, "/proc/self/root" + secret, "/proc/1/root" + secret,
		"/docs/link", "/etc/shadow", "/machine/etc/passwd",
		"/next/etc/passwd", "/root/.bashrc", "/etc/machine-id", "/proc/kcore", "/sys/kernel/uevent_helper"} {
		try("read "+strings.Replace(name, secret, "/secret", 1), read(name))
	}
	for _, name := range []string{"/x", "/usr/x", "/usr/bin/sh", "/etc/passwd", "/etc/x", "/run/lectern", "/dev/x",
		"/proc/sys/kernel/hostname", "/proc/self/uid_map",
		"/var/x", "/run/x", secret} {
		try("write "+strings.Replace(name, secret, "/secret", 1), write(name))
	}
	try("make a device", func() error { return unix.Mknod("/docs/disk", unix.S_IFBLK|0o666, int(unix.Mkdev(8, 0))) })
	try("open by handle", raw(unix.SYS_OPEN_BY_HANDLE_AT))

	// Network.
	try("dial", func() error { _, err := net.DialTimeout("tcp", address, time.Second); return err })
	try("dial the world", func() error { _, err := net.DialTimeout("tcp", "192.0.2.1:443", time.Second); return err })
	try("send", func() error {
		c, err := net.Dial("udp", "192.0.2.1:53")
		if err != nil {
			return err
		}
		_, err = c.Write([]byte("x"))
		return err
	})
	try("look up", func() error { _, err := net.LookupHost("example.com"); return err })
	try("abstract socket", func() error { _, err := net.Dial("unix", "@"+socket); return err })
	try("raw socket", raw(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP))
	try("packet socket", raw(unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_RAW))
	try("host socket", raw(unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM))

	// Privileges.
	try("mount", func() error { return unix.Mount("tmpfs", "/tmp", "tmpfs", 0, "") })
	try("mount anew", func() error { return unix.Mount("", "/usr", "", unix.MS_REMOUNT|unix.MS_BIND, "") })
	try("unmount", func() error { return unix.Unmount("/proc/kcore", 0) })
	try("new root", func() error { return unix.Chroot("/tmp") })
	try("change root", func() error { return unix.PivotRoot(".", ".") })
	for name, flag := range map[string]int{"user": unix.CLONE_NEWUSER, "mount": unix.CLONE_NEWNS,
		"net": unix.CLONE_NEWNET} {
		try("new "+name+" namespace", func() error { return unix.Unshare(flag) })
	}
	try("child in a namespace", raw(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD)))
	try("other namespace", raw(unix.SYS_SETNS, 0, 0))
	try("become root", func() error { return unix.Setuid(0) })
	try("become nobody", func() error { return unix.Setuid(65534) })
	try("join a group", func() error { return unix.Setgroups([]int{0}) })
	try("name the host", func() error { return unix.Sethostname([]byte("x")) })
	try("set-user-id program", func() error {
		if b, err := exec.Command("su", "-c", "id").CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w", b, err)
		}
		return nil
	})
	try("lift a limit", func() error {
		return unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	})
	try("get privileges", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) })
	for name, call := range map[string]uintptr{"keys": unix.SYS_KEYCTL, "bpf": unix.SYS_BPF,
		"events": unix.SYS_PERF_EVENT_OPEN, "ring": unix.SYS_IO_URING_SETUP,
		"faults": unix.SYS_USERFAULTFD, "module": unix.SYS_INIT_MODULE, "clock": unix.SYS_CLOCK_SETTIME,
		"mount tree": unix.SYS_OPEN_TREE, "other numbering": 0x40000000 | unix.SYS_GETPID} {
		try(name, raw(call))
	}
	return out
}

// absent returns an error unless the text contains a secret of the tests. No error means that the probe found
// something.
func absent(text string) error {
	if strings.Contains(text, "canary") {
		return nil
	}
	return errors.New("not there")
}

func othersEnvironment() error {
	list, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(list) == 0 {
		return fmt.Errorf("no processes to look at: %v", err)
	}
	var all strings.Builder
	for _, name := range list {
		b, _ := os.ReadFile(name) // only files that can be read matter
		all.Write(b)
		b, _ = os.ReadFile(filepath.Dir(name) + "/cmdline")
		all.Write(b)
	}
	return absent(all.String())
}

func onlyOwnProcesses() error {
	list, err := filepath.Glob("/proc/[0-9]*")
	if err == nil && len(list) > 2 {
		return nil
	}
	return fmt.Errorf("%d, %v", len(list), err)
}

// forks starts processes until that fails, and prints how many it started.
func forks() error {
	n := 0
	for ; n < 5000; n++ {
		if err := exec.Command("/bin/sleep", "1000").Start(); err != nil {
			break
		}
	}
	fmt.Println(n)
	return nil
}

func eats(mb int) error {
	var all [][]byte
	for range mb {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		all = append(all, b)
	}
	fmt.Println("ate", len(all))
	time.Sleep(time.Hour)
	return nil
}

// fills writes until that fails: one file, many files in the folder, many files in /tmp, or many names.
func fills(what string) error {
	block := make([]byte, 1<<20)
	var open []*os.File
	defer func() { fmt.Println(len(open)) }()
	many := func(dir string) error {
		for i := range 100_000 {
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), block, 0o600); err != nil {
				return err
			}
		}
		return nil
	}
	switch what {
	case "file":
		f, err := os.Create("/docs/large")
		for range 100_000 {
			if err == nil {
				_, err = f.Write(block)
			}
		}
		return err
	case "folder":
		return many("/docs")
	case "unnamed":
		for i := range 500 {
			f, err := os.Create("/docs/" + strconv.Itoa(i))
			if err == nil {
				_, err = f.Write(block)
			}
			if err := errors.Join(err, os.Remove("/docs/"+strconv.Itoa(i))); err != nil {
				return err
			}
			open = append(open, f)
		}
		time.Sleep(time.Hour)
	case "tmp":
		return many("/tmp")
	case "shm":
		return many("/dev/shm")
	case "names":
		for i := range 10_000_000 {
			if err := os.WriteFile("/docs/"+strconv.Itoa(i), nil, 0o600); err != nil {
				return err
			}
		}
	case "depth":
		for range 100_000 {
			if err := errors.Join(os.Mkdir("d", 0o700), os.Chdir("d")); err != nil {
				return err
			}
		}
		time.Sleep(time.Hour)
	}
	return nil
}

// hides creates files and folders that are hard to read or remove.
func hides() error {
	return errors.Join(os.MkdirAll("/docs/closed/inner", 0o700),
		os.WriteFile("/docs/closed/inner/f", []byte("found"), 0o000), os.WriteFile("/docs/not\xfftext", nil, 0o600),
		os.Chmod("/docs/closed/inner", 0), os.Chmod("/docs/closed", 0), os.Symlink("/etc/passwd", "/docs/outward"))
}
