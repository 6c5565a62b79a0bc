package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lastFile in the data folder has the time of the last backup as its own.
const lastFile = "backup.last"

// note stores when a backup was made, for operators. The backup is good whether or not that works.
func (src Source) note(at time.Time) {
	if err := setLast(src.Data, at); err != nil && src.Warn != nil {
		src.Warn(fmt.Errorf("store time of backup: %w", err))
	}
}

func setLast(data string, at time.Time) error {
	f, err := openOwned(data, filepath.Join(data, lastFile))
	if err != nil {
		return err
	}
	stamp := syscall.NsecToTimeval(at.UnixNano())
	// by the open file: its name may have become a link
	return errors.Join(syscall.Futimes(int(f.Fd()), []syscall.Timeval{stamp, stamp}), f.Close())
}

// Last returns when the newest backup of a data folder was made; made is false when there was none.
func Last(data string) (at time.Time, made bool, err error) {
	info, err := os.Lstat(filepath.Join(data, lastFile))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("look for the last backup: %w", err)
	}
	return info.ModTime(), true, nil
}
