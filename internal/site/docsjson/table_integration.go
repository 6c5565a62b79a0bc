package docsjson

import (
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/site/integration"
)

// integrationsShape returns the shape of the settings for third-party services.
func integrationsShape() *shape {
	s := object()
	for _, one := range integration.All() {
		s.keys = append(s.keys, key{name: one.Name, shape: serviceShape(one)})
	}
	s.keys = append(s.keys,
		key{name: "cookies", shape: object(
			key{name: "key", shape: text()}, key{name: "value", shape: text()}).needing("", "key", "value")},
		key{name: "telemetry", shape: object(key{name: "enabled", shape: boolean()})},
		key{name: "osano", idle: "consent managers are not built in",
			hint: "Add a script file that loads it, and allow its origin in security.allow.script."},
		key{name: "transcend", idle: "consent managers are not built in",
			hint: "Add a script file that loads it, and allow its origin in security.allow.script."})
	return s
}

// serviceShape returns the shape of a service's settings. Every value is checked, because values become part of
// URLs and scripts.
func serviceShape(one integration.Service) *shape {
	s := object()
	var needs []string
	for _, f := range one.Fields {
		value := scalar() // an id of digits is often written as a number
		value.form = &form{match: f.Form, code: "bad-value", want: f.Want}
		if f.Flag {
			value = boolean()
		}
		if f.Name == "" {
			return value
		}
		s.keys = append(s.keys, key{name: f.Name, shape: value})
		if !f.Optional {
			needs = append(needs, f.Name)
		}
	}
	return s.needing("", needs...)
}

// allowShape returns the shape of the lists of sources for each kind of content.
func allowShape() *shape {
	s := object()
	for _, kind := range csp.Kinds() {
		list := texts()
		list.most = csp.MaxSources
		s.keys = append(s.keys, key{name: kind, shape: list})
	}
	return s
}
