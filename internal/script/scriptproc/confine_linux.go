package scriptproc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

func systemLimits() []limit { return []limit{{"data size", unix.RLIMIT_DATA, Memory}} }

// restrict gives up what depends on names of files. The empty root needs a user namespace of our own, so it is taken where it can be had;
// it is the folder with what the kernel says about our own few open files.
func restrict() error {
	if err := unix.Chroot("/proc/self/fdinfo"); err == nil {
		if err := unix.Chdir("/"); err != nil {
			return fmt.Errorf("change folder: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	return nil
}

// filter lets through only the system calls that a running Go program makes. A kernel without filters has none to offer (EINVAL, ENOSYS):
// the limits hold there alone.
func filter() error {
	if !seccomp.Supported() {
		return nil
	}
	err := seccomp.Install(allowed(), seccomp.Refuse)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}
