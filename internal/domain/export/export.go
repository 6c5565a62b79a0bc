// Package export defines static export jobs: valid requests, states, and transitions between them.
//
// Inputs: a request from a caller; progress from a worker.
// Outputs: a job that obeys the rules: queued → running → completed or failed; progress never decreases and is 100
// exactly when the job is completed.
// It does not depend on how pages are rendered or where bundles are stored.
package export

import (
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// Status is the status of a job.
type Status string

// The statuses; the only transitions are Queued → Running → Completed or Failed.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Ended reports whether the status is final.
func (s Status) Ended() bool { return s == Completed || s == Failed }

// ParseStatus parses a status.
func ParseStatus(s string) (Status, error) {
	switch st := Status(s); st {
	case Queued, Running, Completed, Failed:
		return st, nil
	}
	return "", fault.Newf(fault.Invalid, "invalid_field", "Unknown status %q.", s).
		WithField("status").WithHint("Valid statuses are queued, running, completed and failed.")
}

// Format is the archive format of a bundle.
type Format string

// The formats; a completed job has a bundle in each.
const (
	TarGz Format = "tar.gz"
	Zip   Format = "zip"
)

// ParseFormat parses a format; "" is the default, tar.gz.
func ParseFormat(s string) (Format, error) {
	switch Format(s) {
	case "", TarGz:
		return TarGz, nil
	case Zip:
		return Zip, nil
	}
	return "", fault.Newf(fault.Invalid, "invalid_field", "Unknown bundle format %q.", s).
		WithField("format").WithHint("Valid formats are tar.gz and zip.")
}

// Bundle is a finished archive.
type Bundle struct {
	Format Format `json:"format"`
	Key    string `json:"key"` // key in the blob store
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// Job is a static export job.
type Job struct {
	ID             string
	OrganizationID string
	ProjectID      string
	// published deployment to export, determined when the job was created; "" = none, so the source is fetched
	DeploymentID   string
	Domain         string
	Version        string   // label: as requested, or derived from the content, see Label; "" until known
	Paths          []string // requested pages; empty = all published pages
	Groups         []string // reader groups that the export is for, sorted; empty = readers in no group
	Identity       string   // equal for jobs that produce the same files, see Identify; "" = unique
	Status         Status
	Progress       float64 // 0–100
	PageCount      int
	PageTotal      int            // expected number of pages; 0 = unknown
	PagesPerSecond float64        // recent speed; 0 = unknown
	Left           *time.Duration // estimated remaining time; nil = unknown
	Stage          Stage
	Commit         string // exported state of the source; "" until known
	Error          string // message for the owner; "" unless failed
	ErrorCode      string // stable code of the error; "" = none
	CanceledBy     string // who canceled the job; "" = not canceled
	Diagnostics    diag.List
	Bundles        []Bundle
	ReusedFrom     string     // export whose bundles the job reuses; "" = it has its own
	EndedAt        *time.Time // nil until completed or failed
	ExpiredAt      *time.Time // when the bundles of a completed job expired; nil = they exist
	LinkUntil      time.Time  // when the last download link expires; zero = there was none
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Bundle returns the archive in a format. For a job that has not completed, it returns a conflict that names the job's
// state (B5); it also returns an error if the bundles have expired.
func (j Job) Bundle(f Format) (Bundle, error) {
	if j.Status != Completed {
		e := fault.Newf(fault.Conflict, "export_not_completed",
			"The export is %s; its bundles exist once it is completed.", j.Status)
		if j.Status == Failed {
			return Bundle{}, e.WithHint("It failed: " + j.Error)
		}
		return Bundle{}, e.WithHint("Poll the job until its status is completed.")
	}
	if j.ExpiredAt != nil {
		return Bundle{}, fault.Newf(fault.Gone, "bundle_expired", "The bundles of this export were removed on %s.",
			j.ExpiredAt.UTC().Format(time.DateOnly)).
			WithHint(
				"Start a new export. The server's operator sets how long bundles are kept (export.keep-for, export.max-stored-bytes).")
	}
	for _, b := range j.Bundles {
		if b.Format == f {
			return b, nil
		}
	}
	return Bundle{}, fault.Newf(fault.NotFound, "unknown_bundle", "The export has no %s bundle.", f)
}

// CanceledSentence returns the text for the owner of a canceled export.
func CanceledSentence(by string) string {
	if by == "" {
		return task.Export.Canceled()
	}
	return strings.TrimSuffix(task.Export.Canceled(), ".") + " by " + by + "."
}

// Limits for a list of groups, and for a name in it, in characters.
const (
	maxGroups    = 100
	maxGroupName = 200
)

// CleanGroups validates a list of reader groups and returns it sorted, without duplicates.
func CleanGroups(groups []string) ([]string, error) {
	if len(groups) > maxGroups {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "groups may have at most %d entries.", maxGroups).
			WithField("groups")
	}
	for _, g := range groups {
		if strings.TrimSpace(g) == "" || utf8.RuneCountInString(g) > maxGroupName ||
			strings.ContainsFunc(g, unicode.IsControl) {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is not the name of a group.", clip.Runes(g, 50)).
				WithField("groups").WithHint("A name has 1 to 200 characters and no control characters.")
		}
	}
	return reader.New(groups...).Groups, nil
}

// maxPaths limits the page list of an export.
const maxPaths = 10_000

// CleanPaths validates a page list and converts each path to its stored form: no leading or trailing slash, no
// extension.
func CleanPaths(paths []string) ([]string, error) {
	if len(paths) > maxPaths {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "paths may have at most %d entries.", maxPaths).
			WithField("paths")
	}
	var out []string
	for _, p := range paths {
		c := strings.TrimSuffix(strings.TrimSuffix(strings.Trim(p, "/"), ".mdx"), ".md")
		if c == "" {
			c = "index"
		}
		if len(p) > 512 || !utf8.ValidString(p) || path.Clean(c) != c || strings.HasPrefix(c, "..") ||
			strings.ContainsAny(c, "\\?#\x00") {
			return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is not a page path.", p).
				WithField("paths").WithHint("Write page paths as in docs.json, for example guides/start.")
		}
		out = append(out, c)
	}
	return out, nil
}

// CleanVersion validates a version label.
func CleanVersion(v string) (string, error) {
	v = strings.TrimSpace(v)
	if utf8.RuneCountInString(v) > 100 || strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fault.New(fault.Invalid, "invalid_field", "version may have at most 100 printable characters.").
			WithField("version")
	}
	return v, nil
}
