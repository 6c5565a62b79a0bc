package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/integration"
)

// This file defines the keys for third-party services, and for what pages may use from other hosts.

func integrationKeys(c *Config) (keys []key) {
	for _, one := range integration.All() {
		keys = append(keys, serviceKey(one, &c.Integrations))
	}
	const hint = "Add a script file that loads it, and allow its origin in security.allow.script."
	return append(keys,
		key{name: "cookies", shape: object(
			textKey("key", &c.Consent.Key), textKey("value", &c.Consent.Value)).needing("", "key", "value")},
		objectKey("telemetry", inverseKey("enabled", &c.NoTelemetry)),
		key{name: "osano", idle: "consent managers are not built in", hint: hint},
		key{name: "transcend", idle: "consent managers are not built in", hint: hint})
}

// serviceKey returns the key for a service. The service is stored only if all required values are present.
func serviceKey(one integration.Service, to *[]site.Integration) key {
	return key{name: one.Name, shape: serviceShape(one), set: func(v *jsontree.Value) {
		if values, ok := valuesOf(one, v); ok {
			*to = append(*to, site.Integration{Service: one.Name, Values: values})
		}
	}}
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

// valuesOf returns the values of a service. ok is false if a required value is missing.
func valuesOf(s integration.Service, v *jsontree.Value) (values map[string]string, ok bool) {
	values = map[string]string{}
	for _, f := range s.Fields {
		at, name := v.Get(f.Name), f.Name
		if f.Name == "" {
			at, name = v, "id"
		}
		if at != nil && at.Kind != jsontree.Null {
			values[name] = at.Text()
		}
		if values[name] == "" && !f.Optional {
			return nil, false
		}
	}
	return values, true
}

// allowKeys returns the keys for allowed sources, one for each kind of content.
func (d *decoder) allowKeys() (keys []key) {
	for _, kind := range csp.Kinds() {
		list := texts()
		list.most = csp.MaxSources
		keys = append(keys, key{name: kind, shape: list, set: func(v *jsontree.Value) {
			for _, item := range itemsOf(v) {
				d.allow(kind, item)
			}
		}})
	}
	return keys
}

// allow adds a source, unless it is invalid or the policy would become too long.
func (d *decoder) allow(kind string, v *jsontree.Value) {
	text := strings.TrimSpace(v.Text())
	// this is an origin; after a path, the final slash matters, because it includes everything below the path
	if strings.Count(text, "/") == 3 {
		text = strings.TrimSuffix(text, "/")
	}
	if err := csp.Check(kind, text); err != nil {
		d.list.Warnf(v.Pos(), "bad-source", "The source %q of \"security.allow.%s\" %v.", v.Text(), kind, err)
		if kind == "script" && strings.Contains(text, "unsafe") {
			d.list.Hint("Put the code into a .js file in the docs folder; every page loads such files.")
		}
		return
	}
	if d.cfg.Allow.Size()+len(text) >= csp.MaxBytes {
		d.list.Warnf(v.Pos(), "bad-source", "The source %q is left out: \"security.allow\" may have %d bytes in total.",
			v.Text(), csp.MaxBytes)
		d.list.Hint("Write one entry with a wildcard, such as https://*.example.com, for several hosts.")
		return
	}
	if d.cfg.Allow == nil {
		d.cfg.Allow = csp.Allow{}
	}
	d.cfg.Allow.Add(kind, text)
}
