package siteapi

import (
	"context"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/access"
)

// Protected is a site that only some readers may read, as a request found it.
type Protected struct {
	ProjectID      string
	OrganizationID string
	Host           string // host name that the reader used, in lower case and without port
	Base           string // path that the site stands below, such as /docs; requests are without it. "" = the root
	Mode           access.Mode
	Preview        bool
	Look           func(ctx context.Context) Look // of its pages; the zero Look while nothing is published
	// Public reports whether a request is for something that everybody may read; nil = nothing is.
	Public func(r *http.Request) bool
}

// Domain returns the domain of the site, as projects name it: the host, with the path if there is one.
func (p Protected) Domain() string { return p.Host + p.Base }

// Look is what a page shows of a site before the reader has proven anything: the name and colours, as #rrggbb.
type Look struct {
	Name                     string
	Button, OnButton         string // "" = the default
	DarkButton, DarkOnButton string // in a dark scheme; "" = as in a light one
}

type readerKey struct{}

// WithReader returns the request with its reader, for handlers of the site.
func WithReader(r *http.Request, who access.Reader) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), readerKey{}, who))
}

// ReaderOf returns who reads; an anonymous reader on a public site.
func ReaderOf(r *http.Request) access.Reader {
	if who, ok := r.Context().Value(readerKey{}).(access.Reader); ok {
		return who
	}
	return access.Reader{Anonymous: true}
}
