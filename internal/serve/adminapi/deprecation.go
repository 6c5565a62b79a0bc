package adminapi

import (
	"fmt"
	"net/http"
	"time"
)

// Deprecation says that an operation goes on working until Sunset, and what takes its place.
type Deprecation struct {
	Since     time.Time // when it was announced
	Sunset    time.Time // when it may stop to answer; at least a year after Since
	Successor string    // path of the operation to use instead, as in api/openapi.yaml
}

// Deprecations returns the operations that have a successor, by operation id. The description marks the same ones with
// deprecated: true. None has today: both /v1 and /v2 are current, each for its own resources.
func Deprecations() map[string]Deprecation { return map[string]Deprecation{} }

// announce sets the headers of RFC 9745 and RFC 8594, also on answers that are errors.
func (d Deprecation) announce(h http.Header) {
	h.Set("Deprecation", fmt.Sprintf("@%d", d.Since.Unix()))
	h.Set("Sunset", d.Sunset.UTC().Format(http.TimeFormat))
	h.Add("Link", fmt.Sprintf(`<%s>; rel="successor-version"`, d.Successor))
}
