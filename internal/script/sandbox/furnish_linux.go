package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const maxSmall = 4 << 20 // bytes of a copied file

// smallFiles writes the files of /etc that programs read. The user list always has one entry, regardless of the
// machine's users.
func smallFiles(o order) error {
	files := map[string]string{
		"/etc/passwd": fmt.Sprintf("lectern:x:%d:%d::/tmp:/bin/sh\n", inside, inside),
		"/etc/group":  fmt.Sprintf("lectern:x:%d:\n", inside),
		"/etc/hosts":  "127.0.0.1 localhost\n::1 localhost\n",
	}
	list := small
	if o.Network {
		list = append(append([]string{}, small...), netting...)
	}
	for _, name := range list {
		// Links, such as resolv.conf, point to paths on the machine.
		real, err := within(machine, name)
		if err != nil {
			continue
		}
		info, err := os.Stat(real)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSmall {
			continue
		}
		b, err := os.ReadFile(real)
		if err != nil {
			continue
		}
		files[name] = string(b)
	}
	if err := os.MkdirAll(next+"/etc", 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(next+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// within resolves the symbolic links in a path in the same way as a process with that root folder.
func within(root, path string) (string, error) {
	for range 40 {
		leads, err := os.Readlink(root + path)
		if err != nil {
			return root + path, nil // not a link, at least not in its last element
		}
		if !filepath.IsAbs(leads) {
			leads = filepath.Join(filepath.Dir(path), leads)
		}
		path = filepath.Clean(leads)
	}
	return "", errors.New("too many symbolic links")
}

func makeDevices() error {
	if err := os.MkdirAll(next+"/dev/shm", 0o755); err != nil {
		return err
	}
	for _, name := range devices {
		if err := place(next+"/dev/"+name, false); err != nil {
			return err
		}
		if err := unix.Mount(machine+"/dev/"+name, next+"/dev/"+name, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("bind /dev/%s: %w", name, err)
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0",
		"stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(to, next+"/dev/"+name); err != nil {
			return err
		}
	}
	return mountScratch("/dev/shm", 16<<20)
}

func scratch(o order) error {
	for _, dir := range []string{"/tmp", "/var"} {
		if err := os.MkdirAll(next+dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink("../tmp", next+"/var/tmp"); err != nil {
		return err
	}
	return mountScratch("/tmp", o.Limits.Scratch)
}

// mountScratch mounts a file system in memory that disappears with the sandbox. It limits the number of files in
// proportion to the size, because names take memory too.
func mountScratch(at string, size int64) error {
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=1777", size, 1024+size/4096)
	if err := unix.Mount("tmpfs", next+at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mount %s: %w", at, err)
	}
	return nil
}

func bindFolder(o order) error {
	if err := os.MkdirAll(next+Dir, 0o755); err != nil {
		return err
	}
	if o.Probe {
		return nil
	}
	if err := unix.Mount(machine+o.Dir, next+Dir, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind program folder: %w", err)
	}
	return remount(next+Dir, unix.MS_NOSUID|unix.MS_NODEV)
}

// mountProc mounts a /proc with the program's own processes. A container that masks parts of its /proc may not be
// allowed to mount one. In that case, the sandbox is unavailable, because user maps and memory supervision need /proc.
func mountProc() error {
	if err := os.MkdirAll(next+"/proc", 0o555); err != nil {
		return err
	}
	if err := unix.Mount("proc", next+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	for _, name := range covered {
		at := next + "/proc/" + name
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := unix.Mount(next+"/dev/null", at, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("cover %s: %w", name, err)
		}
	}
	for _, name := range []string{"sys", "irq", "bus", "fs"} {
		at := next + "/proc/" + name
		if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := unix.Mount(at, at, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("bind %s: %w", name, err)
		}
		if err := remount(at, unix.MS_RDONLY); err != nil {
			return fmt.Errorf("protect %s: %w", name, err)
		}
	}
	return nil
}

// closeRoot unmounts the machine's files and makes the new root read-only.
func closeRoot() error {
	if err := unix.Unmount(machine, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the machine's files: %w", err)
	}
	if err := os.Chdir(next); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the first root: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return remount("/", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV)
}
