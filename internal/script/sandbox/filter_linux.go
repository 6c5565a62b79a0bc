package sandbox

import (
	"golang.org/x/sys/unix"

	"github.com/lectern-docs/lectern/internal/script/seccomp"
)

// refused returns rules for calls that no text-editing program needs and with which sandboxes have been broken before:
// namespaces, mounts, tracers, handles, keys, the kernel's own interfaces. All other calls are allowed, and are
// restricted by privileges and namespaces.
func refused() []seccomp.Rule {
	const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME
	const whole = 0xffffffff
	list := []seccomp.Rule{
		{Call: unix.SYS_CLONE, Arg: 0, Mask: namespaces &^ unix.CSIGNAL, Want: 0, Not: true, Do: seccomp.Refuse},
		{Call: unix.SYS_CLONE3, Do: seccomp.Missing}, // its flags are in memory, which a filter cannot read
		{Call: unix.SYS_IOCTL, Arg: 1, Mask: whole, Want: unix.TIOCSTI, Do: seccomp.Refuse},
		{Call: unix.SYS_IOCTL, Arg: 1, Mask: whole, Want: unix.TIOCLINUX, Do: seccomp.Refuse},
	}
	for _, family := range []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK} {
		list = append(list, seccomp.Rule{Call: unix.SYS_SOCKET, Arg: 0, Mask: whole, Want: family, Do: seccomp.Allow})
	}
	for _, call := range []uint32{
		unix.SYS_SOCKET, // with the remaining address families
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
		unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_MOUNT,
		unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
		unix.SYS_PROCESS_MADVISE,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER,
		unix.SYS_IO_URING_REGISTER,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD,
		unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY,
		unix.SYS_CLOCK_SETTIME, unix.SYS_VHANGUP,
	} {
		list = append(list, seccomp.Rule{Call: call, Do: seccomp.Refuse})
	}
	return list
}
