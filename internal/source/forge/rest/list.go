package rest

import (
	"context"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
)

// maxPages bounds how many pages of a host one call for a list reads.
const maxPages = 10

const longestName = 512 // bytes

// Scan lists repositories as connect.Account says. read returns one page of the host, whose position is "" for the first
// one, and the position of the next page, "" after the last one. A cursor is a position, a dot, and how many of that
// page's repositories were seen.
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

// BadCursor is the fault of a cursor that no page has returned.
func BadCursor() error {
	return fault.New(fault.Invalid, "invalid_field", "cursor is not one that a page has returned.").WithField("cursor")
}

// PageNumber reads the position of a page that has a number.
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

// cleanRepository bounds the texts of a host. ok is false if what we must have is missing.
func cleanRepository(r connect.Repository) (out connect.Repository, ok bool) {
	r.Name, r.URL = Line(r.Name, longestName), Web(r.URL)
	if len(r.Branch) > longestBranch {
		r.Branch = ""
	}
	return r, r.Name != "" && r.URL != ""
}

// Matches reports whether a repository's name has the part that is searched for.
func Matches(name, search string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSpace(search)))
}

// ShortName returns the part of a search that a host can compare with names without their owners.
func ShortName(search string) string {
	search = strings.TrimSpace(search)
	return search[strings.LastIndexByte(search, '/')+1:]
}
