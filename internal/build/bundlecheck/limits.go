package bundlecheck

import "fmt"

// Limits limits the unpacked size of a bundle. The limits are checked while the bundle is read, so a bundle that
// exceeds one costs no more than a bundle that just reaches it.
type Limits struct {
	Entries   int   // files and folders
	Bytes     int64 // of all files
	FileBytes int64 // of one file
	Ratio     int64 // unpacked bytes per packed byte, beyond Slack
	Slack     int64 // unpacked bytes to which Ratio does not apply, because small bundles may compress very well
}

// Standard returns limits that permit a site of half a million pages.
func Standard() Limits {
	return Limits{Entries: 2_000_000, Bytes: 64 << 30, FileBytes: 4 << 30, Ratio: 200, Slack: 16 << 20}
}

// Reason is the kind of a Refusal.
type Reason int

const (
	Unsafe  Reason = iota // a name or kind of entry that must not be unpacked
	TooMuch               // a limit is exceeded
	Damaged               // truncated, modified, or not a known kind of archive
)

// Refusal is the reason why a bundle was not read completely. Its text is for the recipient.
type Refusal struct {
	Reason Reason
	Entry  string // the entry that caused it; "" for the whole bundle
	Text   string // a sentence
}

// Error returns the entry and the sentence.
func (r *Refusal) Error() string {
	if r.Entry == "" {
		return r.Text
	}
	return fmt.Sprintf("%q: %s", r.Entry, r.Text)
}

func refuse(reason Reason, entry, format string, args ...any) error {
	return &Refusal{Reason: reason, Entry: entry, Text: fmt.Sprintf(format, args...)}
}

// meter counts unpacked and packed bytes.
type meter struct {
	Limits
	packed, unpacked int64
	entries          int
}

// entry counts one more entry.
func (m *meter) entry(name string) error {
	if m.entries++; m.entries > m.Entries {
		return refuse(TooMuch, name, "The bundle contains more than %d entries.", m.Entries)
	}
	return nil
}

// add counts n unpacked bytes of the entry.
func (m *meter) add(entry string, n int64) error {
	m.unpacked += n
	switch {
	case m.unpacked > m.Bytes:
		return refuse(TooMuch, entry, "The bundle unpacks to more than %d bytes.", m.Bytes)
	case m.unpacked > m.Slack && (m.unpacked-m.Slack)/m.Ratio > m.packed:
		return refuse(TooMuch, entry, "The bundle unpacks to more than %d times its size.", m.Ratio)
	}
	return nil
}

// size rejects a file that is too large according to its header.
func (m *meter) size(entry string, size int64) error {
	if size < 0 || size > m.FileBytes {
		return refuse(TooMuch, entry, "The file is larger than %d bytes.", m.FileBytes)
	}
	return nil
}
