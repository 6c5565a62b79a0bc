package sitehost

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// This file serves versions that come from branches and tags. Each version has its own manifest and is served below a
// path of the site, just as a site can be served below a path of its host. Stored files contain VersionSegment instead
// of the version's name, so that a file that is the same in several versions is stored once. The segment is replaced
// here, and the result is cached like any other file.

// enterVersion returns the site and the request, adapted to the version in the path, or unchanged if the path
// contains no version. ok is false if it has already responded: aliases, and the name of the version at the root, are
// redirected.
func (h *Host) enterVersion(w http.ResponseWriter, r *http.Request, s Site) (_ Site, _ *http.Request, ok bool) {
	if s.ManifestKey == "" {
		return s, r, true
	}
	t, err := h.tree(r.Context(), s.ManifestKey)
	if err != nil || t.manifest.Versions == nil || t.manifest.Base != s.Base {
		return s, r, true // the next step gets the same error
	}
	all := t.manifest.Versions
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if rest := "/" + capability.VersionsFile; r.URL.Path == rest {
		h.sendVersions(w, r, s, all, all.Default)
		return s, r, false
	}
	rest, below := route.Below(r.URL.Path, "/"+name)
	if _, plain := route.Below(r.URL.RawPath, "/"+name); !below || !plain && r.URL.RawPath != "" {
		return s, r, true
	}
	if to, alias := all.Aliases[name]; alias || name == all.Default && name != "" {
		if alias && to != all.Default {
			rest = "/" + to + rest
		}
		h.sendOn(w, r, s.Base+escaped(rest))
		return s, r, false
	}
	v := all.Find(name)
	if v == nil || v.Manifest == "" {
		return s, r, true
	}
	if rest == "" {
		h.sendOn(w, r, s.Base+"/"+name+"/")
		return s, r, false
	}
	if rest == "/"+capability.VersionsFile {
		h.sendVersions(w, r, s, all, name)
		return s, r, false
	}
	s.home, s.ManifestKey, s.version, s.stuck = s.ManifestKey, v.Manifest, name, v.Error != ""
	s.Base += "/" + name
	return s, siteapi.Inside(r, "/"+name, rest), true
}

// escaped returns a path in escaped form, or "/" if it is empty. The result starts with a single slash, because two
// would start a host name.
func escaped(path string) string { return route.FilePath(strings.TrimLeft(path, "/")) }

// sendOn sends a temporary redirect: the version behind a URL changes with the next release.
func (h *Host) sendOn(w http.ResponseWriter, r *http.Request, to string) {
	route.SetHeaders(w.Header())
	redirect(w, r, resolution{location: to})
}

// listed is a version in the format used by the menu on pages.
type listed struct {
	Name string `json:"name"`
	// Path is the relative link from the first page of the requesting version to the first page of this one.
	Path       string `json:"path"`
	Current    bool   `json:"current,omitempty"`
	Default    bool   `json:"default,omitempty"`
	Prerelease bool   `json:"prerelease,omitempty"`
}

// sendVersions responds with the versions that readers can choose from; links are relative to the version from.
func (h *Host) sendVersions(w http.ResponseWriter, r *http.Request, s Site, all *deploy.Versions, from string) {
	up := "./"
	if from != all.Default {
		up = "../"
	}
	out := struct {
		Versions []listed `json:"versions"`
	}{[]listed{}}
	for _, v := range all.List {
		one := listed{Name: v.Name, Path: up + v.Name + "/", Current: v.Name == from, Default: v.Name == all.Default,
			Prerelease: v.Prerelease}
		if one.Default {
			one.Path = up
		}
		if one.Default || v.Manifest != "" {
			out.Versions = append(out.Versions, one)
		}
	}
	header := w.Header()
	route.SetHeaders(header)
	if s.Preview {
		header.Set("X-Robots-Tag", "noindex")
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "This file only supports GET and HEAD.")
		return
	}
	data, err := json.Marshal(out)
	if err != nil {
		h.broken(w, r, err)
		return
	}
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "public, max-age=60, must-revalidate")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(data) // fails only if the client has disconnected
	}
}

// treeOf loads the tree of a site's requested version.
func (h *Host) treeOf(ctx context.Context, s Site) (*tree, error) {
	t, err := h.tree(ctx, s.ManifestKey)
	if err != nil || s.version == "" {
		return t, err
	}
	home, err := h.tree(ctx, s.home)
	if err != nil {
		return nil, err
	}
	out := *t
	out.version, out.home, out.stored = s.version, home, t.manifest.Origin
	out.policy = deploy.InVersion(t.policy, s.version)
	out.manifest.Base = deploy.InVersion(t.manifest.Base, s.version)
	out.manifest.Origin = deploy.InVersion(t.manifest.Origin, s.version)
	return &out, nil
}

// canonicalOrigin returns the origin of a page's canonical URL. Search engines should list the default version's
// page, if there is one.
func (t *tree) canonicalOrigin(name string) string {
	if t.version != "" && t.home.has(strings.TrimSuffix(name, ".md")+".html") {
		return t.home.manifest.Origin
	}
	return t.manifest.Origin
}

// naming describes the replacements that turn a stored file into a version's file; zero = none.
type naming struct {
	version string
	// origin of canonical links as stored, and its replacement; both "" = keep it
	stored, canonical string
}

// naming returns the replacements for a file of the tree.
func (t *tree) naming(name string, f deploy.File) (n naming) {
	if t.version == "" || !f.Versioned {
		return n
	}
	n.version = t.version
	if strings.HasSuffix(name, ".html") && t.stored != "" && t.home.has(name) {
		n.stored, n.canonical = t.stored, t.home.manifest.Origin
	}
	return n
}

// key distinguishes the results in caches and ETags.
func (n naming) key() string {
	switch {
	case n.version == "":
		return ""
	case n.stored == "":
		return "-" + n.version
	}
	return "-" + n.version + "-home"
}

const canonicalLink = `<link rel="canonical" href="`

// apply returns the text with the version's name inserted.
func (n naming) apply(data []byte) []byte {
	if n.stored != "" {
		data = bytes.Replace(data, []byte(canonicalLink+n.stored), []byte(canonicalLink+n.canonical), 1)
	}
	return bytes.ReplaceAll(data, []byte(deploy.VersionSegment), []byte(n.version))
}

// named reads a file, inserts the version's name, and compresses the file again if the client accepts that.
func (h *Host) named(ctx context.Context, t *tree, f deploy.File, n naming, gz bool) ([]byte, error) {
	data, err := h.read(ctx, t, f, f.Gzip)
	if err != nil {
		return nil, err
	}
	if data = n.apply(data); !gz {
		return data, nil
	}
	if packed := output.Pack(data, f.ContentType); packed.Deflated != nil {
		return packed.Gzip(), nil
	}
	var out bytes.Buffer // Pack does not compress short text, but the response must be gzip
	z := gzip.NewWriter(&out)
	_, err = z.Write(data)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}
