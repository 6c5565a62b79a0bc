package siterule

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/offer"
)

// SetShared lets pages of other sites load a file that is made for them, also those that let in only what says so.
func SetShared(h http.Header, name string) {
	if name == offer.WidgetFile {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}
