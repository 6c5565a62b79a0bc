package route

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// SetShared lets pages of other sites load a file that is made for them, also those that let in only what says so.
func SetShared(h http.Header, name string) {
	if name == capability.WidgetFile {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}
