package rest

import (
	"context"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
)

// maxPages limits how many of a host's pages one List call reads.
const maxPages = 10

const longestName = 512 // bytes

// Scan lists repositories, see connect.Account. read returns one of the host's pages and the position of the next page.
// Positions are "" for the first page and after the last one. A cursor consists of a position, a dot, and the number of
// that page's repositories that have already been returned.
func Scan(ctx context.Context, q connect.Query,
	read func(ctx context.Context, position string) (list []connect.Repository, next string, err error)) (connect.Page,
	error) {
	position, seen, err := parseCursor(q.Cursor)
	if err != nil {
		return connect.Page{}, err
	}
	var page connect.Page
	for range maxPages {
		list, next, err := read(ctx, position)
		if err != nil {
			return connect.Page{}, err
		}
		for i, one := range list[min(seen, len(list)):] {
			one, ok := cleanRepository(one)
			if !ok || !Matches(one.Name, q.Search) || q.Keep != nil && !q.Keep(one) {
				continue
			}
			if len(page.Repositories) == q.Limit {
				page.Next = position + "." + strconv.Itoa(seen+i)
				return page, nil
			}
			page.Repositories = append(page.Repositories, one)
		}
		if next == "" {
			return page, nil
		}
		position, seen = next, 0
	}
	page.Next = position + ".0"
	return page, nil
}

func parseCursor(text string) (position string, seen int, err error) {
	if text == "" {
		return "", 0, nil
	}
	cut := strings.LastIndexByte(text, '.')
	if cut >= 0 {
		seen, err = strconv.Atoi(text[cut+1:])
	}
	if cut < 0 || err != nil || seen < 0 {
		return "", 0, BadCursor()
	}
	return text[:cut], seen, nil
}

// BadCursor returns the fault for an invalid cursor.
func BadCursor() error {
	return fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").WithField("cursor")
}

// PageNumber parses a numeric page position.
func PageNumber(position string) (int, error) {
	if position == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(position)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, BadCursor()
	}
	return n, nil
}

// cleanRepository limits the texts from a host. ok is false if a required one is missing.
func cleanRepository(r connect.Repository) (out connect.Repository, ok bool) {
	r.Name, r.URL = Line(r.Name, longestName), Web(r.URL)
	if len(r.Branch) > longestBranch {
		r.Branch = ""
	}
	return r, r.Name != "" && r.URL != ""
}

// Matches reports whether a repository's name contains the search text.
func Matches(name, search string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSpace(search)))
}

// ShortName returns the part of a search text to compare with names without owners.
func ShortName(search string) string {
	search = strings.TrimSpace(search)
	return search[strings.LastIndexByte(search, '/')+1:]
}
