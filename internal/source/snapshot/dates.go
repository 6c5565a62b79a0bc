package snapshot

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// datesFile contains the modification times of a snapshot's files, so that an export made from it later reports the
// same dates.
const datesFile = ".lectern/dates.json"

// maxDates limits the size of that file, in bytes.
const maxDates = maxOwnFile

// encodeDates returns the content of that file, or nil for no dates.
func encodeDates(dates map[string]time.Time) ([]byte, error) {
	if len(dates) == 0 {
		return nil, nil
	}
	seconds := make(map[string]int64, len(dates))
	for file, when := range dates {
		seconds[file] = when.Unix()
	}
	data, err := json.Marshal(seconds)
	if err != nil {
		return nil, fmt.Errorf("store dates: %w", err)
	}
	return data, nil
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
