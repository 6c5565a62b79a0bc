package csp

import (
	"encoding/json"
	"slices"
	"strings"
)

// Allow are the sources that pages may use beside their own origin, by kind; nil = none.
type Allow map[string][]string

// Add adds sources of a kind, once each.
func (a Allow) Add(kind string, sources ...string) {
	for _, s := range sources {
		if !slices.Contains(a[kind], s) {
			a[kind] = append(a[kind], s)
		}
	}
}

// Size returns how many bytes the sources add to the policy, about.
func (a Allow) Size() (n int) {
	for _, sources := range a {
		for _, s := range sources {
			n += len(s) + 1
		}
	}
	return n
}

// AddAll adds what another list allows.
func (a Allow) AddAll(other Allow) {
	for kind, sources := range other {
		a.Add(kind, sources...)
	}
}

// Encode returns the list as the file of a built site has it: the same list gives the same bytes.
func (a Allow) Encode() ([]byte, error) {
	out := map[string][]string{}
	for kind, sources := range a {
		if len(sources) > 0 {
			out[kind] = slices.Sorted(slices.Values(sources))
		}
	}
	data, err := json.Marshal(out)
	return append(data, '\n'), err
}

// Decode parses the file of a built site. Bundles come from anywhere, so every source is checked again and what is wrong
// is left out.
func Decode(data []byte) Allow {
	var in map[string][]string
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	out := Allow{}
	for _, kind := range Kinds() {
		for _, s := range in[kind][:min(len(in[kind]), MaxSources)] {
			if Check(kind, s) == nil && out.Size()+len(s) < MaxBytes*3/2 {
				out.Add(kind, s)
			}
		}
	}
	return out
}

// Page describes the policy of a page.
type Page struct {
	Allow  Allow
	Script string // digest of the one script inside of the page, "sha256-…"; "" = it has none
	Base   bool   // the page may set a base address of its own origin
	Report string // path to which browsers report what they blocked; "" = nowhere
}

// Policy returns the header's value. Pages have no inline script and no inline style, so neither needs to be allowed
// (C5). Components of authors may fetch data from other sites, and the playground calls APIs, also those without TLS;
// it shows images and sounds of the responses as blobs. All pages of a site have the same policy: client-side
// navigation leads from pages without a playground to pages with one, and the browser keeps the policy of the first
// page.
func (p Page) Policy() string {
	var b strings.Builder
	b.WriteString("default-src 'self'")
	for _, d := range []struct{ kind, own string }{
		{"script", ""}, {"style", ""}, {"img", " data: blob: https: http:"}, {"media", " blob: https: http:"},
		{"font", " data:"}, {"connect", " https: http:"}, {"frame", " https:"}, {"worker", ""},
	} {
		b.WriteString("; " + d.kind + "-src 'self'" + d.own)
		if d.kind == "script" && p.Script != "" {
			b.WriteString(" '" + p.Script + "'")
		}
		for _, s := range p.Allow[d.kind] {
			if !strings.HasPrefix(s, "http") || !covers(d.own, s) {
				b.WriteString(" " + s)
			}
		}
	}
	base := "'none'"
	if p.Base {
		base = "'self'"
	}
	b.WriteString("; manifest-src 'self'; object-src 'none'; base-uri " + base +
		"; form-action 'self'; frame-ancestors 'self'")
	if p.Report != "" {
		b.WriteString("; report-uri " + p.Report)
	}
	return b.String()
}

// covers reports whether a directive already allows every host of the source's scheme.
func covers(own, source string) bool {
	scheme, _, _ := strings.Cut(source, "//")
	return slices.Contains(strings.Fields(own), scheme)
}
