package bundlecheck

import "fmt"

// Limits bound what a bundle may unpack to. They are checked while it is read, so a bundle that breaks one costs no
// more than the limit.
type Limits struct {
	Entries   int   // files and folders
	Bytes     int64 // of all files
	FileBytes int64 // of one file
	Ratio     int64 // unpacked bytes for each packed one, counted beyond Slack
	Slack     int64 // unpacked bytes that need no ratio: small bundles may be well packed
}

// Standard returns limits that allow a site of half a million pages.
func Standard() Limits {
	return Limits{Entries: 2_000_000, Bytes: 64 << 30, FileBytes: 4 << 30, Ratio: 200, Slack: 16 << 20}
}

// Reason says which rule a Refusal is about.
type Reason int

const (
	Unsafe  Reason = iota // a name or a kind of entry that must not be unpacked
	TooMuch               // beyond a limit
	Damaged               // cut off, altered, or no archive that we know
)

// Refusal is why a bundle was not read to its end. Its text is for the receiver.
type Refusal struct {
	Reason Reason
	Entry  string // the entry at fault; "" for the whole
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

// meter counts what was unpacked and from how much.
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

// add counts n unpacked bytes that belong to the entry.
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

// size refuses a file that says it is too large.
func (m *meter) size(entry string, size int64) error {
	if size < 0 || size > m.FileBytes {
		return refuse(TooMuch, entry, "The file is larger than %d bytes.", m.FileBytes)
	}
	return nil
}
