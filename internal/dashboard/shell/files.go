package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// files are the front end's, by the path that they are served at.
type files map[string]file

type file struct {
	body []byte
	kind string // content type
	tag  string // ETag
}

// script is the module from which dashboard.js is bundled.
const script = "dashboard.ts"

// loadFiles reads the embedded files and bundles their modules; a failure is a mistake in the program.
func loadFiles(from fs.FS) files {
	out := files{}
	add := func(name string, body []byte) {
		sum := sha256.Sum256(body)
		out[name] = file{body: body, kind: mime.TypeByExtension(path.Ext(name)),
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
	if err != nil {
		panic("dashboard: read embedded files: " + err.Error())
	}
	return out
}

func (b *Board) serveFile(w http.ResponseWriter, r *http.Request) {
	f, ok := b.files()[strings.TrimPrefix(r.URL.Path, FilesPath)]
	if !ok {
		b.serveUnknown(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(f.body) // the reader has gone: the error cannot be reported
}
