package csp

import (
	"encoding/json"
	"slices"
	"strings"
)

// Allow lists the sources that pages may use in addition to their own origin, by kind. nil allows none.
type Allow map[string][]string

// Add adds sources of a kind, without duplicates.
func (a Allow) Add(kind string, sources ...string) {
	for _, s := range sources {
		if !slices.Contains(a[kind], s) {
			a[kind] = append(a[kind], s)
		}
	}
}

// Size returns approximately how many bytes the sources add to the policy.
func (a Allow) Size() (n int) {
	for _, sources := range a {
		for _, s := range sources {
			n += len(s) + 1
		}
	}
	return n
}

// AddAll adds the sources of another list.
func (a Allow) AddAll(other Allow) {
	for kind, sources := range other {
		a.Add(kind, sources...)
	}
}

// Encode returns the list in the format that is written to a built site (capability.SourcesFile). Equal lists give
// equal bytes.
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

// Decode parses the output of Encode from a built site. Bundles are not trusted, so it checks every source again and
// drops invalid ones.
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
	Script string // digest of the only inline script of the page, "sha256-…"; "" = no script
	Base   bool   // the page may set a base address of its own origin
	Report string // path to which browsers report what they blocked; "" = no reports
}

// Policy returns the value of the header. Pages have no inline scripts or styles, so neither has to be allowed (C5).
// Authors' components may fetch data from other sites. The playground calls APIs, including those without TLS, and
// shows images and sounds in responses as blobs. All pages of a site have the same policy, because browsers keep the
// policy of the first page, and client-side navigation may lead from a page without a playground to one with a
// playground.
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

// covers reports whether a directive already allows all hosts with the scheme of a source.
func covers(own, source string) bool {
	scheme, _, _ := strings.Cut(source, "//")
	return slices.Contains(strings.Fields(own), scheme)
}
