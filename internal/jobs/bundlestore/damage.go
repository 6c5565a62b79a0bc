package bundlestore

import (
	"errors"
	"io"
	"io/fs"
)

// damage is an error that proves a version wrong: its bytes were read and are not those that were verified, or the file
// system says that a file of it does not exist. Only such a version may be deleted. Everything else, such as too many
// open files, no permission or a disk that fails to read, says nothing about the bytes: the version stays and is tried
// again.
type damage struct{ err error }

func (d *damage) Error() string { return d.err.Error() }
func (d *damage) Unwrap() error { return d.err }

// damaged marks an error as proof.
func damaged(err error) error { return &damage{err} }

// isDamage reports whether an error proves a version wrong.
func isDamage(err error) bool {
	var d *damage
	return errors.As(err, &d)
}

// missing marks the absence of a file of a version as proof, and leaves every other error of the file system alone.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(err)
	}
	return err
}

// input is a file that a parser reads. It remembers why the file could not be read, which parsers report as if the
// content were wrong.
type input struct {
	io.Reader
	failed error // nil while everything that was asked for could be read
}

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		in.failed = err
	}
	return n, err
}
