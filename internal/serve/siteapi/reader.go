package siteapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/access"
)

// Protected is the protected site that a request is for.
type Protected struct {
	ProjectID      string
	OrganizationID string
	Host           string // host name used by the reader, in lower case and without port
	Base           string // path below which the site is served, such as /docs; removed from requests. "" = the root
	Mode           access.Mode
	Preview        bool
	Look           func(ctx context.Context) Look // name and colors; zero if nothing is published
	// Public reports whether a request is for public content of the site; nil = there is none.
	Public func(r *http.Request) bool
}

// Domain returns the site's domain as used by projects: the host, followed by the path if there is one.
func (p Protected) Domain() string { return p.Host + p.Base }

// Look contains the parts of a site that are shown before sign-in: its name and its colors as #rrggbb.
type Look struct {
	Name                     string
	Button, OnButton         string // "" = the default
	DarkButton, DarkOnButton string // for dark mode; "" = as in light mode
}

type readerKey struct{}

// WithReader adds the reader to the request's context.
func WithReader(r *http.Request, who access.Reader) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), readerKey{}, who))
}

// ReaderOf returns a request's reader, who is anonymous on a public site.
func ReaderOf(r *http.Request) access.Reader {
	if who, ok := r.Context().Value(readerKey{}).(access.Reader); ok {
		return who
	}
	return access.Reader{Anonymous: true}
}
