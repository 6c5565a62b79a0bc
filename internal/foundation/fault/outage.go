package fault

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Outages with their own message. Each of them wraps ErrUnavailable.
var (
	// ErrStorageFull is in the chain of errors about a disk or database without free space.
	ErrStorageFull = fmt.Errorf("%w: no space is left on its storage", ErrUnavailable)
	// ErrDatabaseDamaged is in the chain of errors about a database whose content is no longer a valid database.
	ErrDatabaseDamaged = fmt.Errorf("%w: its database is damaged", ErrUnavailable)
)

// Codes of outages, for programs.
const (
	CodeStorageFull     = "storage_full"
	CodeDatabaseDamaged = "database_damaged"
	CodeTooManyFiles    = "too_many_open_files"
	CodeUnavailable     = "unavailable"
)

// How long a caller should wait before retrying. The first three need an operator.
const (
	retrySoon  = 2 * time.Second
	retryLater = 30 * time.Second
)

// IsFull reports whether err was caused by a full disk, quota or database.
func IsFull(err error) bool {
	return errors.Is(err, ErrStorageFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// Outage returns the fault for an error caused by an unreachable, full or damaged dependency. ok is false for all other
// errors.
func Outage(err error) (f *Error, ok bool) {
	switch {
	case IsFull(err):
		f = New(Unavailable, CodeStorageFull,
			"The server's storage is full, so changes are not possible at the moment. Published sites and read requests still work.").
			WithHint("The operator must free disk space; no restart is needed. `lectern doctor` names the disk.").
			WithRetryAfter(retryLater)
	case errors.Is(err, ErrDatabaseDamaged):
		f = New(Unavailable, CodeDatabaseDamaged, "The server's database is damaged.").
			WithHint("The operator must restore the last backup. `lectern doctor` names the file.").
			WithRetryAfter(retryLater)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		f = New(Unavailable, CodeTooManyFiles, "The server has too many open files to do this at the moment.").
			WithHint("Try again. If the problem persists, the operator must raise the limit of open files.").
			WithRetryAfter(retrySoon)
	case errors.Is(err, ErrUnavailable), errors.Is(err, syscall.EROFS):
		f = New(Unavailable, CodeUnavailable, "The server cannot do this at the moment.").
			WithHint("Try again in a few seconds.").WithRetryAfter(retrySoon)
	default:
		return nil, false
	}
	return f.WithCause(err), true
}
