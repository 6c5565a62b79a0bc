package rest

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	maxTitle    = 1024
	maxAddress  = 2048
	maxBody     = 64 << 10
	maxComments = 200
)

// Title returns a pull request's title as one line of limited length.
func Title(text string) string { return Line(text, maxTitle) }

// Web returns an address that a page may link to, or "", because hosts are not trusted to return safe addresses.
func Web(address string) string {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxAddress || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		u.User != nil {
		return ""
	}
	return u.String()
}

// Commit returns a full commit id, or "" for anything else; some hosts return only its first digits.
func Commit(id string) string {
	if len(id) != 40 && len(id) != 64 || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// Newest sorts comments by time and keeps the newest, up to the limit of pull.Host, with truncated texts.
func Newest(list []pull.Comment) []pull.Comment {
	slices.SortStableFunc(list, func(a, b pull.Comment) int { return a.At.Compare(b.At) })
	list = list[max(0, len(list)-maxComments):]
	for i := range list {
		list[i].Body = bounded(list[i].Body)
		list[i].Author, list[i].File = Line(list[i].Author, maxTitle), Line(list[i].File, maxTitle)
		list[i].Line = max(0, list[i].Line)
	}
	return list
}

// First returns the pull request to continue with: the newest open one or, if none is open, the newest. The list is
// sorted newest first.
func First(list []pull.Pull) (pull.Pull, error) {
	for _, p := range list {
		if p.State == pull.Open {
			return p, nil
		}
	}
	if len(list) == 0 {
		return pull.Pull{}, Missing()
	}
	return list[0], nil
}

// Escape escapes each part of a path and joins them with slashes; a slash within a part becomes %2F.
func Escape(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(part))
	}
	return b.String()
}

const (
	longestTitle = 240    // bytes: every host accepts 255, including its own prefix
	longestText  = 60_000 // bytes: the strictest host accepts 65,536 characters
)

// Fit truncates a pull request's content to the lengths that every host accepts.
func Fit(r pull.Request) pull.Request {
	r.Title = Line(r.Title, longestTitle)
	r.Body = strings.ToValidUTF8(r.Body, "")
	if len(r.Body) > longestText {
		cut := longestText
		for !utf8.RuneStart(r.Body[cut]) {
			cut--
		}
		r.Body = r.Body[:cut] + "\n\n…"
	}
	return r
}
