package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Times are stored as microseconds, which both engines order and compare in the same way.

func micros(t time.Time) int64 { return t.UnixMicro() }

func microsOrNull(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	v := t.UnixMicro()
	return &v
}

func fromMicros(v int64) time.Time { return time.UnixMicro(v).UTC() }

func fromMicrosOrNull(v *int64) *time.Time {
	if v == nil {
		return nil
	}
	t := fromMicros(*v)
	return &t
}

// asJSON encodes a list or map for a text column. It encodes a nil list as [].
func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: encode %T: %v", v, err)) // domain values can always be encoded
	}
	if string(raw) == "null" {
		return "[]"
	}
	return string(raw)
}

func fromJSON[T any](text string) (T, error) {
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return v, fmt.Errorf("decode stored %T: %w", v, err)
	}
	return v, nil
}

// checkText rejects text that PostgreSQL cannot store. It does so on SQLite too. Such text always comes from a caller,
// never from our own code.
func checkText(args []any) error {
	for _, a := range args {
		if s, ok := a.(string); ok && (!utf8.ValidString(s) || strings.ContainsRune(s, 0)) {
			return fault.New(fault.Invalid, "invalid_text", "Text must be UTF-8 without NUL characters.")
		}
	}
	return nil
}

// cleanText replaces characters that no text column can store. It is for text that must be accepted in any case:
// workers' reports about a source, and events.
func cleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
