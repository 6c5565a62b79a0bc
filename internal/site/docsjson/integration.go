package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// tool is a third-party analytics service that a server can send events to: the key for the site's id, and the key for
// its host.
type tool struct{ name, key, host string }

func tools() []tool {
	return []tool{
		{"amplitude", "apiKey", ""}, {"ga4", "measurementId", ""}, {"heap", "appId", ""},
		{"mixpanel", "projectToken", ""},
		{"plausible", "domain", "server"}, {"posthog", "apiKey", "apiHost"}, {"segment", "key", ""},
	}
}

// maxToolText bounds a key and an address of a tool, in bytes.
const maxToolText = 300

// integrations reads the tools that are configured completely.
func (d *decoder) integrations(v *jsontree.Value) {
	for _, t := range tools() {
		one := site.Integration{Tool: t.name}
		setText(v.Get(t.name).Get(t.key), &one.Key)
		if t.host != "" {
			setText(v.Get(t.name).Get(t.host), &one.Host)
		}
		if one.Key = strings.TrimSpace(one.Key); one.Key != "" && len(one.Key) <= maxToolText &&
			len(one.Host) <= maxToolText {
			d.cfg.Integrations = append(d.cfg.Integrations, one)
		}
	}
}
