package store

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Page selects one page of a list, newest first.
type Page struct {
	Limit  int    // maximum number of entries, at least 1
	Cursor string // "" = first page; otherwise the cursor that was returned with the previous page
	// Projects limits lists across an organization to entries in these projects; nil = all projects.
	Projects []string
}

// within returns a condition that can be added to others: the column must be one of the page's projects. It also
// returns args with the values for the condition appended.
func (p Page) within(column string, args ...any) (string, []any) {
	if p.Projects == nil {
		return "", args
	}
	marks := []string{"NULL"} // NULL matches nothing; an empty IN list is not valid SQL
	for _, id := range p.Projects {
		args = append(args, id)
		marks = append(marks, fmt.Sprintf("$%d", len(args)))
	}
	return " AND " + column + " IN (" + strings.Join(marks, ", ") + ")", args
}

// A cursor is the position after an entry. It consists of the entry's time and its id or name. New entries are inserted
// before that position and deleted entries leave no gap, so a client that follows cursors sees each entry exactly once
// (A10).

func makeCursor(createdAt int64, id string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%s", createdAt, id))
}

const (
	idLetters   = "abcdefghijklmnopqrstuvwxyz0123456789_"
	nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-._/"
)

// place decodes the cursor of a list whose entries have ids. An empty cursor is the position before the newest entry.
func (p Page) place() (createdAt int64, id string, err error) { return p.placeOf(idLetters, 64) }

// placeOf decodes the cursor of a list whose entries are identified by up to max of the characters in letters.
func (p Page) placeOf(letters string, max int) (createdAt int64, id string, err error) {
	if p.Cursor == "" {
		return 1<<62 - 1, "", nil
	}
	bad := fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").WithField("cursor")
	raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil {
		return 0, "", bad
	}
	at, id, ok := strings.Cut(string(raw), ".")
	createdAt, err = strconv.ParseInt(at, 10, 64)
	if !ok || err != nil || len(id) > max || strings.Trim(id, letters) != "" {
		return 0, "", bad
	}
	return createdAt, id, nil
}

// cut shortens a list that was read with one extra entry, and returns the cursor of the next page, or "" if there is
// none.
func cut[T any](list []T, limit int, key func(T) (createdAt int64, id string)) ([]T, string) {
	if len(list) <= limit {
		return list, ""
	}
	list = list[:limit]
	at, id := key(list[limit-1])
	return list, makeCursor(at, id)
}
