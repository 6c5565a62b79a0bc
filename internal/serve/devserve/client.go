package devserve

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// prefix is the path of the preview's own URLs. No site has files there: the folder is reserved for the platform.
const prefix = "/" + asset.Folder + "/dev/"

//go:embed client
var client embed.FS

// clientFile serves a file of the preview's front end.
func clientFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	data, err := fs.ReadFile(client, "client/"+name)
	if err != nil {
		plain(w, http.StatusNotFound, "File not found.")
		return
	}
	route.SetHeaders(w.Header())
	route.SetFileHeaders(w.Header(), output.ContentType(name))
	w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
