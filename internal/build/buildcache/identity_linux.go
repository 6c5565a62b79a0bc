package buildcache

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identityOf returns a value that distinguishes a file from all others and from its own earlier versions. It includes
// the inode change time, which no program can set.
func identityOf(info fs.FileInfo) (string, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	return fmt.Sprint(s.Dev, s.Ino, s.Size, s.Mtim, s.Ctim), true
}
