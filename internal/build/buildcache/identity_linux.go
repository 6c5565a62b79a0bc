package buildcache

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identityOf returns a value that distinguishes a file from every other, and from its earlier versions: no program
// can set the time of the last change.
func identityOf(info fs.FileInfo) (string, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	return fmt.Sprint(s.Dev, s.Ino, s.Size, s.Mtim, s.Ctim), true
}
