package route

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// SetShared permits pages of other sites to load a file that is meant for them. This includes pages with a cross-origin
// embedder policy.
func SetShared(h http.Header, name string) {
	if name == capability.WidgetFile {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}
