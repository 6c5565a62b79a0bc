package sourcetree

import (
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Snapshot describes a source tree that was written to a folder.
type Snapshot struct {
	Commit   string               // names the content: a Git commit, or "tree-" and a hash
	Branch   string               // "" when the source has none
	Time     time.Time            // when the commit was made; zero when the source does not say
	Modified map[string]time.Time // when files changed last, by their paths; those that are not known are not in it
	Change   Change               // the commit's own data; zero when the source has no commits
	// files copied in place of symbolic links: their path → path of the link's target; may be nil
	Linked      map[string]string
	Diagnostics diag.List // what was left out, and why
	Files       int
	Bytes       int64
}

// Change is a commit's metadata, and the files of the docs folder that differ from the commit before.
type Change struct {
	Message   string
	Author    string // name; "" = unknown
	Compared  bool   // the files are known
	Added     []string
	Modified  []string
	Removed   []string
	Truncated bool // there were more files
}

// Limits bound a snapshot. A zero field takes its default.
type Limits struct {
	Files     int   // files in all; default 100,000
	FileBytes int64 // largest file, a larger one is left out with a warning; default 100 MiB
	Bytes     int64 // all files together; default 2 GiB
}

// OrDefault fills in the defaults.
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

// Visits returns how many files, folders and links of a source are looked at, whether or not they end up in a snapshot.
func (l Limits) Visits() int { return 4 * l.Files }

// TooMany is the fault of a source with more files than the limit.
func (l Limits) TooMany() error {
	return fault.Newf(fault.TooLarge, "source_too_many_files", "The source has more than %d files.", l.Files).
		WithHint("Set the docs folder to the part of the repository that contains the documentation.")
}

// Kind is what an entry of the source is.
type Kind int

// The kinds of entries. Special is a device, pipe or socket.
const (
	Regular Kind = iota
	Link
	Submodule
	Special
)

// Entry is one leaf of the source tree.
type Entry struct {
	Path   string // slash-separated, below the source folder
	Kind   Kind
	Size   int64       // bytes of a regular file
	Target string      // of a link, as written
	Key    string      // how the driver finds the bytes; opaque to this package
	Info   fs.FileInfo // what the file system said about a regular file; nil for other drivers
}

// File is one file to write: where, and which regular entry's bytes.
type File struct {
	Path  string
	Entry Entry
}
