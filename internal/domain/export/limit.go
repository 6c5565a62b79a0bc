package export

import (
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits are the operator's limits on exports. 0 always means no limit.
type Limits struct {
	MaxPages   int           // of one export
	MaxBytes   int64         // of one export's files, before compression
	MaxTime    time.Duration // of one attempt
	MaxRunning int           // per organization; further exports wait
	MaxQueued  int           // per organization; further exports are refused
	KeepFor    time.Duration // how long bundles are kept
	MaxStored  int64         // bytes of an organization's bundles
}

// retryQueued is how long a caller who was refused because of a full queue should wait. An export takes seconds to
// minutes.
const retryQueued = 30 * time.Second

// TooManyPages returns the fault for a site with more than MaxPages pages.
func (l Limits) TooManyPages(pages int) error {
	return fault.Newf(fault.Invalid, "too_many_pages",
		"The export would have %d pages; this server's limit is %d.", pages, l.MaxPages).
		WithHint("Select fewer pages with paths, or ask the server's operator to raise export.max-pages.")
}

// TooLarge returns the fault for files larger than MaxBytes.
func (l Limits) TooLarge() error {
	return fault.Newf(fault.Invalid, "export_too_large",
		"The export's files are larger than %s before compression, which is this server's limit.", Size(l.MaxBytes)).
		WithHint(
			"Select fewer pages with paths, remove large files from the docs folder, or ask the server's operator to raise export.max-bytes.")
}

// TooLong returns the fault for an attempt that took longer than MaxTime.
func (l Limits) TooLong() error {
	return fault.Newf(fault.Invalid, "export_too_long",
		"The export was stopped because it took longer than %s, which is this server's limit.", l.MaxTime).
		WithHint("Select fewer pages with paths, or ask the server's operator to raise export.max-time.")
}

// TooManyQueued returns the fault for an organization with MaxQueued waiting exports.
func (l Limits) TooManyQueued() error {
	return fault.Newf(fault.RateLimited, "too_many_exports",
		"The organization already has %d exports in the queue, which is this server's limit.", l.MaxQueued).
		WithRetryAfter(retryQueued).
		WithHint(
			"Wait until some have finished, cancel some, or ask the server's operator to raise export.max-queued-per-organization.")
}

// OverQuota returns the fault for bundles that do not fit, even after all exports that may expire have expired.
func (l Limits) OverQuota(size int64) error {
	return fault.Newf(fault.Invalid, "export_quota",
		"The bundles need %s and do not fit: the organization may store %s, and the rest is used by bundles that are too new to remove "+
			"or have valid links.", Size(size), Size(l.MaxStored)).
		WithHint(
			"Wait until links have expired, export fewer pages, or ask the server's operator to raise export.max-stored-bytes.")
}

// Size formats a number of bytes for people: 1.5 GiB.
func Size(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, unit := float64(n), ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if v /= 1024; v < 1024 {
			break
		}
	}
	if v == float64(int64(v)) {
		return fmt.Sprintf("%.0f %s", v, unit)
	}
	return fmt.Sprintf("%.1f %s", v, unit)
}
