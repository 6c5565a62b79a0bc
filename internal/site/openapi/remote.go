package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Fetch fetches a description from the network. The text of a returned error is shown to authors.
type Fetch func(ctx context.Context, url string) ([]byte, error)

// Kept returns the last usable copy of the description at a URL. ok is false if there is none.
type Kept func(ctx context.Context, url string) (c Copy, ok bool)

// Copy is a usable description from another host, as a build read it.
type Copy struct {
	URL  string
	Data []byte    // must not be changed
	At   time.Time // when it was fetched; zero = during this build
}

// Remote reports whether a name is a URL.
func Remote(name string) bool {
	return strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")
}

// loadRemote fetches a description. If the response is not usable, it uses the last usable copy instead and adds an
// error finding that says so. Findings about the response as a whole have the URL as their file and have no line
// number.
func (l *Loader) loadRemote(ctx context.Context, name string) (*Spec, diag.List) {
	s, list := l.response(ctx, name)
	if s != nil || ctx.Err() != nil {
		return s, list
	}
	if l.Kept == nil {
		return nil, list
	}
	kept, ok := l.Kept(ctx, name)
	if !ok {
		return nil, list
	}
	s, found := l.describe(ctx, name, kept.Data)
	if s == nil { // an earlier release of this program accepted the copy
		return nil, list
	}
	s.copy = &kept
	since := "the last build"
	if !kept.At.IsZero() {
		since = kept.At.UTC().Format("2006-01-02 15:04 UTC")
	}
	found.Errorf(diag.Pos{File: name}, "spec-kept", "%s The copy of %s is used instead.", list[0].Message, since)
	found.Hint("Fix the description at its address, then update the site. Until then its pages stay unchanged.")
	return s, found
}

// response reads the response for a URL. If the Spec is nil, the list contains exactly one finding.
func (l *Loader) response(ctx context.Context, name string) (*Spec, diag.List) {
	var list diag.List
	data, err := l.fetch(ctx, name)
	if err != nil {
		list.Errorf(diag.Pos{File: name}, "spec-not-fetched", "The API description at %s cannot be fetched: %s.",
			redacted(name), strings.TrimRight(err.Error(), "."))
		list.Hint("Check the address in a browser, or put a copy of the description into the docs folder.")
		return nil, list
	}
	s, found := l.describe(ctx, name, data)
	if s != nil {
		s.copy = &Copy{URL: name, Data: data}
		return s, found
	}
	first := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	if first < 0 {
		return nil, found
	}
	d := found[first]
	at := ""
	if d.Line > 1 || d.Column > 1 {
		at = fmt.Sprintf(" (line %d, column %d)", d.Line, d.Column)
	}
	list.Errorf(diag.Pos{File: name}, d.Code, "The API description at %s cannot be used: %s%s", redacted(name),
		d.Message, at)
	list.Hint("The address must return a complete OpenAPI or AsyncAPI document.")
	return nil, list
}

// fetch fetches a description. It rejects URLs that contain a password. A build sends no credentials, and findings
// would reveal the password.
func (l *Loader) fetch(ctx context.Context, name string) ([]byte, error) {
	u, err := url.Parse(name)
	switch {
	case err != nil || u.Host == "":
		return nil, errors.New("it is not a valid address")
	case u.User != nil:
		return nil, errors.New("an address must not contain a user name or password")
	}
	return l.Fetch(ctx, name)
}

func redacted(name string) string {
	u, err := url.Parse(name)
	if err != nil || u.User == nil {
		return name
	}
	u.User = url.User("…")
	return u.String()
}

// describe reads a response. It rejects empty responses and descriptions without content. Otherwise an API server that
// is still starting, or a proxy's error page, would empty the site.
func (l *Loader) describe(ctx context.Context, name string, data []byte) (*Spec, diag.List) {
	var list diag.List
	switch text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))); {
	case len(text) == 0:
		list.Errorf(diag.Pos{File: name}, "spec-empty", "The response is empty.")
		return nil, list
	case text[0] == '<':
		list.Errorf(diag.Pos{File: name}, "spec-syntax", "The response is HTML or XML.")
		return nil, list
	}
	doc := parseDocument(name, data, &list)
	s, list := l.parsed(ctx, name, doc, list)
	if s != nil && s.hollow() {
		list = nil
		list.Errorf(diag.Pos{File: name}, "spec-empty", "It has no operations, webhooks or channels.")
		return nil, list
	}
	return s, list
}

// hollow reports whether a description has no content that a page could show. OpenAPI 3.1 permits documents with only
// components; such documents have no "paths" key. Operations that the author excludes still count as content.
func (s *Spec) hollow() bool {
	switch {
	case s.Async:
		return len(s.Channels) == 0
	case s.any("paths"), s.any("webhooks"):
		return false
	}
	return s.root.Get("paths") != nil || len(s.Schemas) == 0
}

// any reports whether a map of path items contains an operation, or a reference to one.
func (s *Spec) any(key string) bool {
	return slices.ContainsFunc(members(s.root.Get(key)), func(m jsontree.Member) bool {
		return slices.ContainsFunc(members(s.target(m.Value)), func(in jsontree.Member) bool {
			return slices.Contains(methods, strings.ToLower(in.Key)) || in.Key == "$ref"
		})
	})
}

// Copies returns the descriptions from other hosts, ordered by URL.
func (s *Set) Copies() (out []Copy) {
	if s == nil {
		return nil
	}
	for _, spec := range s.specs {
		if spec.copy != nil {
			out = append(out, *spec.copy)
		}
	}
	return out
}
