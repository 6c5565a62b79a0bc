package adminapi

import (
	"fmt"
	"net/http"
	"time"
)

// Deprecation describes an operation that works until Sunset, and its successor.
type Deprecation struct {
	Since     time.Time // when the deprecation was announced
	Sunset    time.Time // when the operation may stop working; at least a year after Since
	Successor string    // path of the operation to use instead, as in api/openapi.yaml
}

// Deprecations returns the operations that have a successor, by operation id. The API description marks these
// operations deprecated: true. There are none today: both /v1 and /v2 are current, each for its own resources.
func Deprecations() map[string]Deprecation { return map[string]Deprecation{} }

// announce sets the headers of RFC 9745 and RFC 8594, on error responses too.
func (d Deprecation) announce(h http.Header) {
	h.Set("Deprecation", fmt.Sprintf("@%d", d.Since.Unix()))
	h.Set("Sunset", d.Sunset.UTC().Format(http.TimeFormat))
	h.Add("Link", fmt.Sprintf(`<%s>; rel="successor-version"`, d.Successor))
}
