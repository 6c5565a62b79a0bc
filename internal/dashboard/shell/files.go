package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// files are the front end's, by path.
type files map[string]file

type file struct {
	body []byte
	kind string // content type
	tag  string // ETag
}

// loadFiles reads the embedded files once; they cannot be missing, so a failure is a mistake in the program.
func loadFiles(from fs.FS) files {
	out := files{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(from, name)
		sum := sha256.Sum256(body)
		out[name] = file{body: body, kind: mime.TypeByExtension(path.Ext(name)), tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
		return err
	})
	if err != nil {
		panic("dashboard: read embedded files: " + err.Error())
	}
	return out
}

func (b *Board) serveFile(w http.ResponseWriter, r *http.Request) {
	f, ok := b.files[strings.TrimPrefix(r.URL.Path, FilesPath)]
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
	_, _ = w.Write(f.body) // the reader has gone: nobody is left to tell
}
