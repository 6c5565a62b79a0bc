package build

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/integration"
	"github.com/lectern-docs/lectern/web/theme"
)

// services returns the third-party services whose scripts pages load.
func services(s *site.Site, e capability.External) (out []site.Integration) {
	for _, one := range s.Integrations {
		if e.On && !slices.Contains(e.Without, one.Service) {
			out = append(out, one)
		}
	}
	return out
}

// addIntegrations adds the script of the site's third-party services. It returns "" if there are none. The script
// is a file, so that pages need no inline script.
func addIntegrations(to *asset.Bundle, s *site.Site, e capability.External) (string, error) {
	var all []byte
	for _, one := range services(s, e) {
		define, err := definitions(one, s.Consent)
		if err != nil {
			return "", err
		}
		script, err := jsbuild.Script{
			Source: theme.FS(), Entry: theme.Integration(one.Service), Define: define,
		}.Bundle()
		if err != nil {
			return "", err
		}
		all = append(all, script...)
	}
	if len(all) == 0 {
		return "", nil
	}
	return to.Add("integrations.js", all), nil
}

// definitions returns the values that the bundler inserts into the script of a service, as JSON.
func definitions(one site.Integration, consent site.Consent) (map[string]string, error) {
	service, _ := integration.Find(one.Service)
	texts := map[string]string{"CONSENT.key": consent.Key, "CONSENT.value": consent.Value}
	for _, f := range service.Fields {
		name := f.Name
		if name == "" {
			name = "id"
		}
		texts["VALUES."+name] = one.Values[name]
	}
	if service.Hosted != nil {
		texts["ORIGIN"] = service.Hosted(one.Values)["script"][0]
	}
	out := map[string]string{}
	for name, text := range texts {
		data, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		out[name] = string(data)
	}
	return out, nil
}

// writeSources writes the list of external sources that pages may use, for servers that send a content security policy.
func writeSources(ctx context.Context, w *siteWriter, e capability.External) error {
	allow := allowed(w.src.site, e)
	if len(allow) == 0 {
		return nil
	}
	data, err := allow.Encode()
	if err != nil {
		return err
	}
	return w.put(ctx, capability.SourcesFile, data)
}

// allowed returns the sources from the author's list and those of the services that pages load.
func allowed(s *site.Site, e capability.External) csp.Allow {
	out := csp.Allow{}
	if !e.On {
		return out
	}
	out.AddAll(s.Allow)
	for _, one := range services(s, e) {
		if service, ok := integration.Find(one.Service); ok {
			out.AddAll(service.Allow(one.Values))
		}
	}
	return out
}

// hostPolicy returns a content security policy for web servers that send one. It allows the script in 404.html, whose
// digest is script. It is "" if pages use nothing from other hosts.
func hostPolicy(s *site.Site, e capability.External, script string) string {
	allow := allowed(s, e)
	if len(allow) == 0 {
		return ""
	}
	return csp.Page{Allow: allow, Script: script, Base: script != ""}.Policy()
}
