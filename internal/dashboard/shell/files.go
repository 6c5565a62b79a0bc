package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/npm"
	"github.com/lectern-docs/lectern/web/theme"
)

// files maps paths to the front end's files.
type files map[string]file

type file struct {
	body []byte
	kind string // content type
	tag  string // ETag
}

// script is the entry module of dashboard.js.
const script = "dashboard.ts"

// loadFiles reads the embedded files and the files of the shared design, and bundles their modules; a failure is a bug.
func loadFiles(from fs.FS, look asset.Look) files {
	out := files{}
	add := func(name string, body []byte) {
		sum := sha256.Sum256(body)
		out[name] = file{body: body, kind: output.ContentType(name),
			tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
	}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".ts" {
			return err
		}
		body, err := fs.ReadFile(from, name)
		add(name, body)
		return err
	})
	if err == nil {
		var body []byte
		body, err = jsbuild.Script{Source: from, Entry: script}.Bundle()
		add("dashboard.js", body)
	}
	tokens, readErr := fs.ReadFile(theme.FS(), "src/tokens.css")
	if err == nil {
		err = readErr
	}
	if err != nil {
		panic("dashboard: read embedded files: " + err.Error())
	}
	add("tokens.css", tokens)
	add("look.css", look.Sheet)
	for name, body := range look.Fonts {
		add(name, body)
	}
	return out
}

// palette is the color palette of our own docs.
var palette = site.Colors{Primary: "#0F766E", Light: "#2DD4BF", Dark: "#0F766E"}

// loadLook loads the design shared with sites; a failure is a bug.
func loadLook() asset.Look {
	look, err := asset.NewLook(npm.FS(), palette)
	if err != nil {
		panic("dashboard: " + err.Error())
	}
	return look
}

func (b *Board) serveFile(w http.ResponseWriter, r *http.Request) {
	f, ok := b.files()[strings.TrimPrefix(r.URL.Path, FilesPath)]
	if !ok {
		b.serveUnknown(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if path.Ext(r.URL.Path) == ".woff2" { // the name contains a digest
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(f.body) // the client has disconnected, so the error cannot be reported
}
