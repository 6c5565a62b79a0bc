package bundlestore

import (
	"errors"
	"io"
	"io/fs"
)

// damage is an error that proves that a stored version is corrupt: its bytes differ from the verified ones, or a file
// is missing. Only a corrupt version may be deleted. Other errors, such as too many open files, missing permission or a
// failing disk, prove nothing about the bytes: the version is kept and retried.
type damage struct{ err error }

func (d *damage) Error() string { return d.err.Error() }
func (d *damage) Unwrap() error { return d.err }

// damaged marks an error as proof of corruption.
func damaged(err error) error { return &damage{err} }

// isDamage reports whether an error proves that a version is corrupt.
func isDamage(err error) bool {
	var d *damage
	return errors.As(err, &d)
}

// missing marks an error about a missing file as proof of corruption and returns all other file system errors
// unchanged.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(err)
	}
	return err
}

// input is a file read by a parser. It remembers read errors, which parsers report as if the content were invalid.
type input struct {
	io.Reader
	failed error // nil if there was no read error
}

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		in.failed = err
	}
	return n, err
}
