package bundlecheck

import (
	"encoding/json"
	"slices"
	"strings"
)

// plan is the part of a playground's plan that contains the addresses to which the page sends the reader's
// requests.
type plan struct {
	Servers  []planServer
	ProxyURL string
	Security [][]struct {
		Flows map[string]struct{ TokenURL string }
	}
}

type planServer struct {
	URL       string
	Variables []planVariable
}

type planVariable struct {
	Name, Default string
	Enum          []string
}

// plan lists the API's servers, the proxy and the token endpoints.
func (f *file) plan(at spot, data []byte) {
	var p plan
	_ = json.Unmarshal(data, &p) // members of an unexpected type stay empty; the others are still read
	budget := maxFilling - f.filled
	for _, server := range p.Servers {
		for _, address := range server.addresses(&budget) {
			f.call(at, address)
		}
	}
	f.filled = maxFilling - budget
	f.call(at, p.ProxyURL)
	for _, scheme := range slices.Concat(p.Security...) {
		// the playground requests tokens in no other way
		for _, way := range []string{"clientCredentials", "password"} {
			f.call(at, scheme.Flows[way].TokenURL)
		}
	}
}

// call lists an address to which the playground sends requests. The host is unknown if the reader enters it.
func (f *file) call(at spot, address string) {
	a := parseAddress(address)
	if host, _ := splitServer(address); strings.Contains(host, "{") {
		f.contact(f.here(at), address, "", "API", OnAction)
		return
	}
	if a.form == elsewhere || a.form == hostless {
		f.host(a.host)
		f.contact(f.here(at), address, a.host, "API", OnAction)
	}
}

// Limits for a server with many variables. If a limit keeps the variables of an address from being replaced, the
// address is listed as written.
const (
	maxFilled   = 100     // addresses of one server
	maxTemplate = 1024    // bytes of an address with variables
	maxValue    = 256     // bytes of a value
	maxFilling  = 4 << 20 // bytes of all addresses of one page
)

// addresses returns the addresses of a server with its variables replaced. It uses every value of the variables in the
// host, and only the first value of the others. It subtracts the length of the addresses from the budget.
func (s planServer) addresses(budget *int) (out []string) {
	host, _ := splitServer(s.URL)
	chosen := [][]string{nil} // pairs of a variable's placeholder and its value
	for _, v := range s.Variables {
		mark, values := "{"+v.Name+"}", v.values()
		if len(s.URL) > maxTemplate || v.Name == "" || len(values) == 0 || !strings.Contains(s.URL, mark) {
			continue
		}
		if !strings.Contains(host, mark) {
			values = values[:1]
		}
		chosen = product(chosen, mark, values)
	}
	for _, pairs := range chosen {
		if *budget <= 0 {
			return append(out, s.URL)
		}
		// replace only once, as the playground does: a value may look like a placeholder
		address := strings.NewReplacer(pairs...).Replace(s.URL)
		*budget -= len(address)
		out = append(out, address)
	}
	return out
}

// product adds each value to each choice.
func product(chosen [][]string, mark string, values []string) (out [][]string) {
	for _, pairs := range chosen {
		for _, value := range values {
			if len(out) == maxFilled {
				return out
			}
			out = append(out, append(slices.Clone(pairs), mark, value))
		}
	}
	return out
}

// values returns the values that the playground offers, the initial one first.
func (v planVariable) values() []string {
	list := append([]string{v.Default}, v.Enum...)
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(list, func(value string) bool {
		known := seen[value] || len(value) > maxValue
		seen[value] = true
		return known
	})
}

// splitServer splits an address after its host.
func splitServer(address string) (host, rest string) {
	start := 0
	if i := strings.Index(address, "//"); i >= 0 && !strings.Contains(address[:i], "/") {
		start = i + 2
	}
	if i := strings.IndexAny(address[start:], "/?#"); i >= 0 {
		return address[:start+i], address[start+i:]
	}
	return address, ""
}
