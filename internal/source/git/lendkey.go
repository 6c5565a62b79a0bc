package git

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// lendKey provides a private key to ssh as a file until drop is called. On Linux the file has no name: it cannot
// outlive this process, and other users' programs cannot find it.
func (c *Cache) lendKey(key string) (path string, drop func(), err error) {
	f, err := os.CreateTemp(c.dir, "key-*") // mode 0600
	if err != nil {
		return "", nil, err
	}
	unlink := func() error { return os.Remove(f.Name()) }
	drop = func() { _ = f.Close(); _ = unlink() }
	if runtime.GOOS == "linux" {
		// Unlink before the key is written.
		if err := unlink(); err != nil {
			return "", nil, errors.Join(err, f.Close())
		}
		path, drop = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()), func() { _ = f.Close() }
	} else {
		path = f.Name()
	}
	if _, err := f.WriteString(key); err != nil {
		drop()
		return "", nil, err
	}
	return path, drop, nil
}
