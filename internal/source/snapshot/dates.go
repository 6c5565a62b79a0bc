package snapshot

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// datesFile contains the modification times of a snapshot's files, so that an export made from it later reports the
// same dates.
const datesFile = ".lectern/dates.json"

// maxDates limits the size of that file, in bytes.
const maxDates = 64 << 20

// keepDates writes the dates into a snapshot's folder, replacing a file of the source with the same name.
func keepDates(dir string, dates map[string]time.Time) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("store dates: %w", err)
	}
	defer func() { _ = root.Close() }()
	_ = root.Remove(datesFile)
	if len(dates) == 0 {
		return nil
	}
	seconds := make(map[string]int64, len(dates))
	for file, when := range dates {
		seconds[file] = when.Unix()
	}
	data, err := json.Marshal(seconds)
	if err == nil {
		err = root.MkdirAll(path.Dir(datesFile), 0o700)
	}
	if err == nil {
		err = root.WriteFile(datesFile, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("store dates: %w", err)
	}
	return nil
}

// Modified returns a function that reports when files of a snapshot last changed; nil if unknown.
func Modified(src fs.FS) func(file string) time.Time {
	data, err := safefile.Read(src, datesFile, maxDates)
	var seconds map[string]int64
	if err != nil || json.Unmarshal(data, &seconds) != nil {
		return nil
	}
	return func(file string) time.Time {
		if s := seconds[file]; s > 0 {
			return time.Unix(s, 0).UTC()
		}
		return time.Time{}
	}
}
