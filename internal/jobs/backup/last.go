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

// lastFile is an empty file in the data folder; its modification time is the time of the last backup.
const lastFile = "backup.last"

// note records when the backup was made, for operators. The backup is valid even if this fails.
func (src Source) note(at time.Time) {
	if err := setLast(src.Data, at); err != nil && src.Warn != nil {
		src.Warn(fmt.Errorf("store backup time: %w", err))
	}
}

func setLast(data string, at time.Time) error {
	f, err := openOwned(data, filepath.Join(data, lastFile))
	if err != nil {
		return err
	}
	stamp := syscall.NsecToTimeval(at.UnixNano())
	// Set the time through the open file, since a link may have taken its name.
	return errors.Join(syscall.Futimes(int(f.Fd()), []syscall.Timeval{stamp, stamp}), f.Close())
}

// Last returns when the newest backup of a data folder was made; made is false if there is none.
func Last(data string) (at time.Time, made bool, err error) {
	info, err := os.Lstat(filepath.Join(data, lastFile))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("find the last backup: %w", err)
	}
	return info.ModTime(), true, nil
}
