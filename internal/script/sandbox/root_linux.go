package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount points while the new root is built: the machine's own files, and the new root.
const (
	machine = "/machine"
	next    = "/next"
	self    = "/run/lectern" // this executable, in the new root
)

// system lists folders with the machine's programs and libraries. Links among them are kept as links.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
	"/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/fonts"}

// small lists files in /etc that programs read; they are copied. netting lists the files that are only needed if the
// program has network access.
var (
	small = []string{"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime", "/etc/nsswitch.conf", "/etc/mime.types",
		"/etc/shells"}
	netting = []string{"/etc/resolv.conf", "/etc/hosts", "/etc/services", "/etc/protocols", "/etc/gai.conf"}
)

var devices = []string{"null", "zero", "full", "random", "urandom"}

// covered lists files in /proc that reveal or permit too much. Most of them are inaccessible to the program anyway.
var covered = []string{"cmdline", "kcore", "keys", "key-users", "sysrq-trigger", "timer_list", "kallsyms", "kmsg",
	"sched_debug"}

// buildRoot builds the program's root and changes to it. After that, no other file of the machine is accessible.
func buildRoot(o order) error {
	steps := []struct {
		name string
		do   func() error
	}{
		{"mount an empty root", mountEmptyRoot},
		{"mount /tmp", func() error { return scratch(o) }}, // first, because later bind mounts may be below it
		{"bind the system", func() error { return bindSystem(o) }},
		{"make small files", func() error { return smallFiles(o) }},
		{"make devices", makeDevices},
		{"bind the folder", func() error { return bindFolder(o) }},
		{"mount /proc", mountProc},
		{"close the root", closeRoot},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// mountEmptyRoot mounts an empty file system as the root, with the machine's files below it.
func mountEmptyRoot() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keep mounts private: %w", err)
	}
	at := ""
	for _, dir := range []string{"/tmp", "/var", "/usr", "/proc"} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			at = dir
			break
		}
	}
	if err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=16m,mode=755"); err != nil {
		return fmt.Errorf("mount tmpfs: %w", err)
	}
	for _, dir := range []string{at + machine, at + next} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.Mount(at+next, at+next, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind root: %w", err)
	}
	if err := unix.PivotRoot(at, at+machine); err != nil {
		return fmt.Errorf("change root: %w", err)
	}
	return os.Chdir("/")
}

func bindSystem(o order) error {
	for _, p := range system {
		if err := bindReadOnly(p, p, false); err != nil {
			return err
		}
	}
	for _, p := range o.Readable {
		if !filepath.IsAbs(p) {
			return fmt.Errorf("%q is not an absolute path", p)
		}
		if err := bindReadOnly(filepath.Clean(p), filepath.Clean(p), true); err != nil {
			return err
		}
	}
	return bindReadOnly(o.Exe, self, true)
}

// bindReadOnly bind-mounts a file or folder of the machine read-only into the new root. A missing source is an error
// only if must is set.
func bindReadOnly(from, to string, must bool) error {
	source, target := machine+from, next+to
	info, err := os.Lstat(source)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find %s: %w", from, err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return bindLink(from, to, must)
	}
	if _, err := os.Lstat(target); err == nil && from == to {
		return nil // an earlier bind mount includes it
	}
	if err := place(target, info.IsDir()); err != nil {
		return err
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", from, err)
	}
	return protect(target)
}

// bindLink recreates a symbolic link, and bind-mounts its target unless the target already exists.
func bindLink(from, to string, must bool) error {
	leads, err := os.Readlink(machine + from)
	if err != nil {
		return err
	}
	if err := os.Symlink(leads, next+to); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !must {
		return nil
	}
	if !filepath.IsAbs(leads) {
		leads = filepath.Join(filepath.Dir(from), leads)
	}
	return bindReadOnly(leads, leads, true)
}

// place creates the file or folder that serves as the mount point.
func place(target string, folder bool) error {
	if folder {
		return os.MkdirAll(target, 0o755)
	}
	f, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// protect makes a mount and those below it read-only, without set-user-id files and devices. It keeps the other
// restrictions of each mount, because a process in a user namespace must not lift them.
func protect(target string) error {
	list, err := os.ReadFile(machine + "/proc/self/mountinfo")
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	for _, line := range strings.Split(string(list), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		at := unescape(fields[4])
		if at != target && !strings.HasPrefix(at, target+"/") {
			continue
		}
		if err := remount(at, unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV); err != nil {
			return fmt.Errorf("protect %s: %w", strings.TrimPrefix(at, next), err)
		}
	}
	return nil
}

// remount adds restrictions to a mount and keeps existing ones.
func remount(at string, flags uintptr) error {
	var s unix.Statfs_t
	if err := unix.Statfs(at, &s); err != nil {
		return err
	}
	for _, f := range [][2]uintptr{{unix.ST_RDONLY, unix.MS_RDONLY}, {unix.ST_NOSUID, unix.MS_NOSUID},
		{unix.ST_NODEV, unix.MS_NODEV},
		{unix.ST_NOEXEC, unix.MS_NOEXEC},
		{unix.ST_NOATIME, unix.MS_NOATIME}, {unix.ST_NODIRATIME, unix.MS_NODIRATIME},
		{unix.ST_RELATIME, unix.MS_RELATIME}} {
		if uintptr(s.Flags)&f[0] != 0 {
			flags |= f[1]
		}
	}
	return unix.Mount("", at, "", unix.MS_REMOUNT|unix.MS_BIND|flags, "")
}

// unescape decodes a path from the kernel's mount list, in which octal escapes such as \040 encode bytes.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			var n int
			if _, err := fmt.Sscanf(s[i+1:i+4], "%03o", &n); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
