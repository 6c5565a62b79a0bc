package scriptproc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

func systemLimits() []limit { return []limit{{"data size", unix.RLIMIT_DATA, Memory}} }

// restrict removes access to files by name. It changes the root folder if the kernel permits that, which requires our
// own user namespace. The new root is the folder in /proc that describes the few open files of this process.
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

// filter allows only the system calls that a running Go program makes. If the kernel does not support filters (EINVAL,
// ENOSYS), only the resource limits apply.
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
