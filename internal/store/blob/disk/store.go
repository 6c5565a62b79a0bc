package disk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

const (
	// tempFolder contains files being written. Keys cannot contain "~", so it is never a key's folder.
	tempFolder = "~tmp"
	// tempLife is how long a temporary file may go without a write before Open assumes that a killed process left it
	// behind.
	tempLife = time.Hour
)

// Store is a blob.Store in a folder. The blob with key "a/b" is the file a/b.
type Store struct {
	root       *os.Root
	signer     *blob.Signer
	baseURL    func() string
	writeError ErrorWriter
}

var (
	_ blob.Store   = (*Store)(nil)
	_ blob.Cleaner = (*Store)(nil)
)

// ErrorWriter writes an error response, including the status for the error's kind.
type ErrorWriter func(http.ResponseWriter, *http.Request, error)

// Option configures a store.
type Option func(*Store)

// WithErrorWriter sets the function that ServeHTTP uses to write errors. By default, errors are plain text.
func WithErrorWriter(write ErrorWriter) Option {
	return func(s *Store) { s.writeError = write }
}

// Open opens the store in folder, creating it if necessary. baseURL returns the start of links, without "/blob/". It is
// called for each link whose context has no base URL. The caller closes the store.
func Open(folder string, signer *blob.Signer, baseURL func() string, options ...Option) (*Store, error) {
	if err := durable.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create blob folder: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	s := &Store{root: root, signer: signer, baseURL: baseURL, writeError: writePlain}
	for _, option := range options {
		option(s)
	}
	if err := s.clearTemp(); err != nil && !fault.IsFull(err) { // a full disk can be read; a later start cleans up
		return nil, errors.Join(fmt.Errorf("prepare blob folder: %w", err), root.Close())
	}
	return s, nil
}

// Close closes the folder.
func (s *Store) Close() error {
	return s.root.Close()
}

// clearTemp creates the folder for temporary files and removes files that killed processes left behind.
func (s *Store) clearTemp() error {
	if err := s.root.MkdirAll(tempFolder, 0o700); err != nil {
		return err
	}
	_, err := s.RemovePartial(context.Background(), tempLife)
	return err
}

// writePlain is the default error writer.
func writePlain(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	switch {
	case fault.Is(err, fault.Forbidden):
		status = http.StatusForbidden
	case fault.Is(err, fault.NotFound):
		status = http.StatusNotFound
	case fault.Is(err, fault.NotAllowed):
		status = http.StatusMethodNotAllowed
	}
	http.Error(w, fault.Public(err), status)
}

// tempFile is a file being written, with its name relative to the root.
type tempFile struct {
	*os.File
	name string
}

// Name returns the name relative to the root, unlike os.File's.
func (f tempFile) Name() string { return f.name }

// createTemp creates a file and locks it while it is open. The lock tells RemovePartial that the writer is alive. On
// file systems without locks, only the age of a file counts.
func (s *Store) createTemp() (tempFile, error) {
	name := tempFolder + "/" + rand.Text()
	file, err := s.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_ = filelock.Try(file, filelock.Exclusive)
	}
	return tempFile{File: file, name: name}, err
}
