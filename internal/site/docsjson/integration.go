package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/integration"
)

// integrations decodes the third-party services whose configuration is complete. The checker has removed invalid
// values.
func (d *decoder) integrations(v *jsontree.Value) {
	for _, s := range integration.All() {
		if values, ok := valuesOf(s, v.Get(s.Name)); ok {
			d.cfg.Integrations = append(d.cfg.Integrations, site.Integration{Service: s.Name, Values: values})
		}
	}
	textTo(v.Get("cookies").Get("key"), &d.cfg.Consent.Key)
	textTo(v.Get("cookies").Get("value"), &d.cfg.Consent.Value)
	telemetry := true
	flagTo(v.Get("telemetry").Get("enabled"), &telemetry)
	d.cfg.NoTelemetry = !telemetry
}

// valuesOf returns the values of a service. ok is false if a required one is missing.
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

// allow decodes the sources on other hosts that pages may use.
func (d *decoder) allow(v *jsontree.Value) {
	for _, kind := range csp.Kinds() {
		list := v.Get(kind)
		if list.Is(jsontree.String) {
			d.source(kind, list)
			continue
		}
		if list != nil {
			for _, one := range list.Items {
				d.source(kind, one)
			}
		}
	}
}

func (d *decoder) source(kind string, v *jsontree.Value) {
	text := strings.TrimSpace(v.Text())
	if strings.Count(text, "/") == 3 { // an origin; in a longer path, the final slash matters: it includes everything below the path
		text = strings.TrimSuffix(text, "/")
	}
	if err := csp.Check(kind, text); err != nil {
		d.list.Warnf(v.Pos(), "bad-source", "The source %q of \"security.allow.%s\" %v.", v.Text(), kind, err)
		if kind == "script" && strings.Contains(text, "unsafe") {
			d.list.Hint("Put the code into a .js file of the docs folder, which every page loads.")
		}
		return
	}
	if d.cfg.Allow.Size()+len(text) >= csp.MaxBytes {
		d.list.Warnf(v.Pos(), "bad-source", "The source %q is left out: \"security.allow\" may have %d bytes in all.",
			v.Text(), csp.MaxBytes)
		d.list.Hint("Write one entry with a wildcard, such as https://*.example.com, for several hosts.")
		return
	}
	if d.cfg.Allow == nil {
		d.cfg.Allow = csp.Allow{}
	}
	d.cfg.Allow.Add(kind, text)
}
