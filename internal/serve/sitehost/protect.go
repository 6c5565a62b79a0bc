package sitehost

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Access decides who may read protected sites: a *siteaccess.Service.
type Access interface {
	// Admit returns the reader of a request. If nobody who may read the site sent it, or it is about signing
	// in, Admit has answered it and ok is false.
	Admit(w http.ResponseWriter, r *http.Request, s siteapi.Protected) (who access.Reader, ok bool)
}

// admit finds the reader of a request before anything of the site is looked up, and returns what to answer through and
// the request with its reader. ok is false once the request was answered.
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

// Names and form of what a build writes about a site's colours: render/asset makes the file.
const siteStyle = "_lectern/site."

var (
	buttonColours = regexp.MustCompile(`--button: (#[0-9a-f]{6}); --on-button: (#[0-9a-f]{6});`)
	darkScheme    = "prefers-color-scheme: dark"
)

const maxStyle = 256 << 10 // bytes of a style sheet that are read for its colours

// lookBytes bounds what is kept of sites' names and colours. Each has a few hundred bytes, counted as lookSize.
const (
	lookBytes = 1 << 20
	lookSize  = 500
)

// look returns a site's name and colours. A failure costs the colours and nothing else. They are kept by manifest, which
// never changes: finding the style sheet goes through all files of the site.
func (h *Host) look(ctx context.Context, s Site) siteapi.Look {
	if s.ManifestKey == "" {
		return siteapi.Look{}
	}
	if known, ok := h.looks.get(s.ManifestKey); ok {
		return known
	}
	out, err := h.readLook(ctx, s)
	if err != nil {
		h.logger.WarnContext(ctx, "read look of protected site failed", "project", s.ProjectID, "error", err)
		return out // the next request tries again
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
