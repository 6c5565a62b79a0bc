package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openOwned opens a small file in the data folder, creating it if needed. A file created by root is given to the
// folder's owner, because the server may run as that user and must be able to open it. That user could also have put
// a link there, so links are not followed, and ownership changes only for files created by this call.
func openOwned(data, name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return openPlain(name)
	}
	if err != nil || os.Geteuid() != 0 {
		return f, err
	}
	info, err := os.Stat(data)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return f, nil
	}
	if err := f.Chown(int(owner.Uid), int(owner.Gid)); err != nil {
		return nil, errors.Join(fmt.Errorf("change owner of %s to the folder's owner: %w", name, err), f.Close())
	}
	return f, nil
}

// openPlain opens an existing regular file that has no other hard links.
func openPlain(name string) (*os.File, error) {
	// O_NONBLOCK: opening a pipe must not block
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a link; remove it: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if is, ok := info.Sys().(*syscall.Stat_t); !info.Mode().IsRegular() || ok && is.Nlink != 1 {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file, or has several hard links; remove it", name), f.Close())
	}
	return f, nil
}
