package sitehost

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Access decides who may read protected sites; *siteaccess.Service implements it.
type Access interface {
	// Admit returns the reader of a request. If the sender may not read the site, or the request is part of signing
	// in, Admit responds itself and ok is false.
	Admit(w http.ResponseWriter, r *http.Request, s siteapi.Protected) (who access.Reader, ok bool)
}

// admit identifies the reader of a request before anything else about the site is looked up, and returns the response
// writer to use and the request with its reader. ok is false if it has already responded.
func (h *Host) admit(w http.ResponseWriter, r *http.Request, s Site) (http.ResponseWriter, *http.Request, bool) {
	if !s.Access.Protected() {
		return w, r, true
	}
	private := siteapi.NewPrivateWriter(w, h.secure(r) && s.Base == "")
	w = private
	if h.access == nil {
		plain(w, http.StatusServiceUnavailable, "This site is not available here.")
		return nil, nil, false
	}
	who, ok := h.access.Admit(w, r, siteapi.Protected{ProjectID: s.ProjectID, OrganizationID: s.OrganizationID,
		Host: hostname.Clean(r.Host), Base: s.Base, Mode: s.Access, Preview: s.Preview,
		Look:   func(ctx context.Context) siteapi.Look { return h.look(ctx, s) },
		Public: func(r *http.Request) bool { return h.isPublic(r, s) }})
	if !ok {
		return nil, nil, false
	}
	private.Named = who.Named
	return w, siteapi.WithReader(r, who), true
}

// Name and format of the colors in a built site: package render/asset writes the file.
const siteStyle = "_lectern/site."

var (
	buttonColours = lazyregexp.New(`--button: (#[0-9a-f]{6}); --on-button: (#[0-9a-f]{6});`)
	darkScheme    = "prefers-color-scheme: dark"
)

const maxStyle = 256 << 10 // bytes of a style sheet searched for colors

// lookBytes limits the cache of sites' names and colors. Each entry takes a few hundred bytes and counts as lookSize.
const (
	lookBytes = 1 << 20
	lookSize  = 500
)

// look returns a site's name and colors or, after an error, only its name. Results are cached by manifest, which
// never changes: finding the style sheet requires a pass over all files of the site.
func (h *Host) look(ctx context.Context, s Site) siteapi.Look {
	if s.ManifestKey == "" {
		return siteapi.Look{}
	}
	if known, ok := h.looks.get(s.ManifestKey); ok {
		return known
	}
	out, err := h.readLook(ctx, s)
	if err != nil {
		h.logger.WarnContext(ctx, "failed to read name and colors of protected site", "project", s.ProjectID, "error", err)
		return out // not cached, so the next request tries again
	}
	h.looks.put(s.ManifestKey, out, lookSize)
	return out
}

func (h *Host) readLook(ctx context.Context, s Site) (out siteapi.Look, err error) {
	t, err := h.tree(ctx, s.ManifestKey)
	if err != nil {
		return out, err
	}
	out.Name = t.manifest.Name
	for name, f := range t.manifest.Files {
		if !strings.HasPrefix(name, siteStyle) || !strings.HasSuffix(name, ".css") {
			continue
		}
		content, _, err := h.content(ctx, t, f, naming{}, false)
		if err != nil {
			return out, err
		}
		raw, err := io.ReadAll(io.LimitReader(content, maxStyle))
		_ = content.Close() // read only
		if err != nil {
			return out, err
		}
		light, dark, _ := strings.Cut(string(raw), darkScheme)
		if m := buttonColours.FindStringSubmatch(light); m != nil {
			out.Button, out.OnButton = m[1], m[2]
		}
		if m := buttonColours.FindStringSubmatch(dark); m != nil {
			out.DarkButton, out.DarkOnButton = m[1], m[2]
		}
	}
	return out, nil
}
