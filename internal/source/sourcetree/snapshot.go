package sourcetree

import (
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Snapshot describes a source tree that was written to a folder.
type Snapshot struct {
	Commit   string               // identifies the content: a Git commit, or "tree-" and a hash
	Branch   string               // "" if the source has none
	Time     time.Time            // time of the commit; zero if unknown
	Modified map[string]time.Time // last changes of files, by path, as far as known
	Change   Change               // metadata of the commit; zero if the source has no commits
	// files copied in place of symbolic links: their path → path of the link's target; may be nil
	Linked      map[string]string
	Diagnostics diag.List // entries that were left out, with reasons
	Files       int
	Bytes       int64
}

// Change is a commit's metadata, with the files of the docs folder that differ from its parent.
type Change struct {
	Message   string
	Author    string // name; "" = unknown
	Compared  bool   // whether the changed files are known
	Added     []string
	Modified  []string
	Removed   []string
	Truncated bool // whether some changed files are left out
}

// Limits limits a snapshot. A zero field takes its default.
type Limits struct {
	Files     int   // number of files; default 100,000
	FileBytes int64 // largest file; larger ones are left out with a warning; default 100 MiB
	Bytes     int64 // total size; default 2 GiB
}

// OrDefault sets defaults for zero fields.
func (l Limits) OrDefault() Limits {
	if l.Files <= 0 {
		l.Files = 100_000
	}
	if l.FileBytes <= 0 {
		l.FileBytes = 100 << 20
	}
	if l.Bytes <= 0 {
		l.Bytes = 2 << 30
	}
	return l
}

// Visits returns the limit on the files, folders and links of a source that are examined, whether or not they end up in
// a snapshot.
func (l Limits) Visits() int { return 4 * l.Files }

// TooMany returns the fault for a source with more files than the limit.
func (l Limits) TooMany() error {
	return fault.Newf(fault.TooLarge, "source_too_many_files", "The source has more than %d files.", l.Files).
		WithHint("Set the docs folder to the part of the repository that contains the documentation.")
}

// Kind is the kind of an entry.
type Kind int

// The kinds of entries. Special is a device, pipe or socket.
const (
	Regular Kind = iota
	Link
	Submodule
	Special
)

// Entry is a leaf of the source tree.
type Entry struct {
	Path   string // slash-separated, relative to the source folder
	Kind   Kind
	Size   int64       // bytes of a regular file
	Target string      // target of a link, as written
	Key    string      // the driver's reference to the content; opaque to this package
	Info   fs.FileInfo // information from the file system about a regular file; nil for other drivers
}

// File is a file to write: its path, and the regular entry with its content.
type File struct {
	Path  string
	Entry Entry
}
