package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// tool is a program of others that a server can tell of visits: which of its keys names the site, and which says where it answers.
type tool struct{ name, key, host string }

func tools() []tool {
	return []tool{
		{"amplitude", "apiKey", ""}, {"ga4", "measurementId", ""}, {"heap", "appId", ""}, {"mixpanel", "projectToken", ""},
		{"plausible", "domain", "server"}, {"posthog", "apiKey", "apiHost"}, {"segment", "key", ""},
	}
}

// maxToolText bounds a key and an address of a tool, in bytes.
const maxToolText = 300

// integrations reads the tools that are named with what it takes to tell them.
func (d *decoder) integrations(v *jsontree.Value) {
	for _, t := range tools() {
		one := site.Integration{Tool: t.name}
		setText(v.Get(t.name).Get(t.key), &one.Key)
		if t.host != "" {
			setText(v.Get(t.name).Get(t.host), &one.Host)
		}
		if one.Key = strings.TrimSpace(one.Key); one.Key != "" && len(one.Key) <= maxToolText && len(one.Host) <= maxToolText {
			d.cfg.Integrations = append(d.cfg.Integrations, one)
		}
	}
}
