package kubenode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// folderVariable tells the second process that it runs in its own namespaces, and where its folder is.
const folderVariable = "LECTERN_TEST_NODE"

// cgroupRoot is the mount point of the control group hierarchies.
const cgroupRoot = "/sys/fs/cgroup"

// Main runs the tests of a package on a node, after calling prepare with the node. It returns the exit status.
func Main(m *testing.M, prepare func(*Node) error) int {
	if folder := os.Getenv(folderVariable); folder != "" {
		return runTests(m, folder, prepare)
	}
	status, err := isolate()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// runTests implements Main in the second process.
func runTests(m *testing.M, folder string, prepare func(*Node) error) int {
	node, err := start(folder)
	if err == nil {
		err = prepare(node)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "start a Kubernetes node:", err)
		node.printLogs()
		return 1
	}
	status := m.Run()
	if status != 0 {
		node.printLogs()
	}
	return status
}

// isolate runs this test binary again, with the same arguments, in its own namespaces. Afterwards it removes the
// files and restores the kernel settings.
func isolate() (status int, err error) {
	if os.Geteuid() != 0 {
		return 0, errors.New("a Kubernetes node needs root: it creates namespaces, mounts and control groups")
	}
	restore, err := keepKernelSettings()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, restore()) }()
	folder, err := os.MkdirTemp("", "lectern-kubernetes-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, removeGroups(filepath.Base(folder)), os.RemoveAll(folder)) }()
	if err := os.Chmod(folder, 0o755); err != nil { // users in pods access their volumes
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), folderVariable+"="+folder, "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// The child is the first process of its process namespace: when it exits, the kernel kills all others before
	// Wait returns.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC}
	// An interrupt kills the second process, and this process then removes its files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("run the tests in their own namespaces: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })() // it may have exited
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		return max(1, exit.ExitCode()), nil
	} else if err != nil {
		return 0, fmt.Errorf("run the tests in their own namespaces: %w", err)
	}
	return 0, nil
}

// ownMounts separates this process's mounts from the machine's and mounts a /proc for its own process namespace.
func ownMounts() error {
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("separate the mounts: %w", err)
	}
	if err := syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC,
		""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// hierarchies returns the folders in which control groups can be created.
func hierarchies() ([]string, error) {
	if _, err := os.Stat(filepath.Join(cgroupRoot, "cgroup.procs")); err == nil {
		return []string{cgroupRoot}, nil // only version 2 of control groups
	}
	files, err := filepath.Glob(filepath.Join(cgroupRoot, "*", "cgroup.procs"))
	var folders []string
	for _, file := range files {
		folders = append(folders, filepath.Dir(file))
	}
	return folders, err
}

// makeGroups creates a control group with the given name in each hierarchy. The kubelet creates its pods' groups below
// it.
func makeGroups(name string) error {
	folders, err := hierarchies()
	for _, folder := range folders {
		group := filepath.Join(folder, name)
		err = errors.Join(err, os.Mkdir(group, 0o755))
		for _, setting := range []string{"cpuset.cpus", "cpuset.mems"} { // empty in a new group of version 1
			if value, readErr := os.ReadFile(filepath.Join(folder, setting)); readErr == nil &&
				strings.HasSuffix(folder, "cpuset") {
				err = errors.Join(err, os.WriteFile(filepath.Join(group, setting), value, 0o644))
			}
		}
	}
	return err
}

// removeGroups removes a control group and those below it. They are empty, because their processes ended with the
// namespace.
func removeGroups(name string) error {
	folders, err := hierarchies()
	for _, folder := range folders {
		var groups []string
		err = errors.Join(err, filepath.WalkDir(filepath.Join(folder, name),
			func(path string, d fs.DirEntry, err error) error {
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				if err == nil && d.IsDir() {
					groups = append(groups, path)
				}
				return err
			}))
		for _, group := range slices.Backward(groups) { // deepest first
			err = errors.Join(err, syscall.Rmdir(group))
		}
	}
	return err
}
