package filestamp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// Of returns the stamp of a regular file. ok is false for anything else, and on systems without the necessary
// information.
func Of(info fs.FileInfo) (s Stamp, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() {
		return s, false
	}
	return Stamp{uint64(st.Dev), st.Ino, st.Size, st.Mtim.Nano(), st.Ctim.Nano()}, true
}

// stampIn returns the stamp of a regular file in an open folder. name is a single path element. Unlike Root.Lstat, it
// only allocates memory for the name, which halves the time for large folders.
func stampIn(folder *os.File, name string) (s Stamp, ok bool) {
	var st unix.Stat_t
	if err := unix.Fstatat(int(folder.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil ||
		st.Mode&unix.S_IFMT != unix.S_IFREG {
		return s, false
	}
	return Stamp{uint64(st.Dev), st.Ino, st.Size, st.Mtim.Nano(), st.Ctim.Nano()}, true
}

// localTypes lists local file systems, which take times from this machine's kernel. The clock of a file server may
// differ, and programs behind FUSE may report any time.
var localTypes = map[int64]bool{
	0xEF53:     true, // ext2, ext3, ext4
	0x58465342: true, // XFS
	0x9123683E: true, // Btrfs
	0x01021994: true, // tmpfs
	0xF2F52010: true, // F2FS
	0xCA451A4E: true, // bcachefs
	0x2FC12FC1: true, // ZFS
	0x794C7630: true, // overlayfs
}

// Local reports whether a path is on a file system whose stamps can be trusted. If the path does not exist, it
// checks the nearest existing parent.
func Local(name string) bool {
	var st syscall.Statfs_t
	err := syscall.Statfs(name, &st)
	for errors.Is(err, fs.ErrNotExist) && name != filepath.Dir(name) {
		name = filepath.Dir(name)
		err = syscall.Statfs(name, &st)
	}
	return err == nil && localTypes[int64(st.Type)]
}
