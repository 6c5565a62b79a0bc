package apipage

import (
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// reach describes where the operation of a page can be called.
type reach struct {
	path     string // with its {parameters}
	servers  []openapi.Server
	security []openapi.Requirement
}

// reach returns where readers may call the operation. ok is false if they may not call it, or if there is nothing to
// call.
func (in Input) reach() (r reach, ok bool) {
	r, base, ok := in.written()
	if !ok {
		return r, false
	}
	if r.servers = in.allowed(r.servers, base); len(r.servers) == 0 {
		return r, false
	}
	r.security = in.tokens(r.security, base, r.servers[0])
	return r, true
}

// written returns the servers and requirements from the description or from the page itself. base is the URL from which
// the description was fetched, if it was. ok is false for pages without a playground.
func (in Input) written() (r reach, base string, ok bool) {
	if !in.Playground.On || in.mode() != "interactive" {
		return r, "", false
	}
	switch ref := in.Page.API; ref.Kind {
	case site.APIOperation:
		op := in.Specs.Operation(ref.Spec, ref.Method, ref.Path)
		if op == nil {
			return r, "", false
		}
		r.path, r.servers = rooted(op.Path), op.Servers()
		if r.security, _ = op.Security(); openapi.Remote(op.Spec().Name) {
			base = op.Spec().Name
		}
		return r, base, true
	case site.APIManual:
		d := manual(ref, in.Look)
		r.path, r.servers, r.security = ref.Path, d.Servers, d.Security
		if openapi.Remote(ref.Path) {
			host, path := splitAddress(ref.Path)
			r.path, r.servers = path, []openapi.Server{{URL: host}}
		}
		r.path = rooted(braced(r.path))
		return r, "", true
	}
	return r, "", false
}

// rooted adds a slash to the start of a path if necessary. Otherwise it would become part of the host name.
func rooted(path string) string {
	if path == "" || path[0] == '/' || path[0] == '?' {
		return path
	}
	return "/" + path
}

// splitAddress splits a URL before its path.
func splitAddress(address string) (host, path string) {
	_, after, ok := strings.Cut(address, "://")
	if !ok {
		return address, ""
	}
	start := len(address) - len(after)
	if i := strings.IndexAny(address[start:], "/?"); i >= 0 {
		return address[:start+i], address[start+i:]
	}
	return address, ""
}

// serverMax limits the servers of one page.
const serverMax = 50

// allowed returns the servers that readers may call, with absolute URLs. If only some origins may be called, a
// server whose host contains variables is replaced by its allowed hosts, so that a reader's choice or input cannot
// lead to other hosts (F7).
func (in Input) allowed(servers []openapi.Server, base string) (out []openapi.Server) {
	for _, s := range servers {
		s.URL = absolute(s.URL, base)
		places := spread(s)
		var kept []openapi.Server
		for _, p := range places {
			if !in.Playground.Closed || in.open(p.origin) {
				kept = append(kept, p.server)
			}
		}
		if len(kept) > 0 && !in.Playground.Closed {
			kept = []openapi.Server{s}
		}
		out = append(out, kept...)
		if len(out) >= serverMax {
			return out[:serverMax]
		}
	}
	return out
}

// open reports whether the operator's list of allowed origins contains an origin.
func (in Input) open(origin string) bool {
	return slices.ContainsFunc(in.Playground.Origins, func(o string) bool {
		own, ok := capability.Origin(o)
		return ok && own == origin
	})
}

// absolute returns a server's URL with a host, or "" if the host is unknown. A relative URL is resolved against the URL
// of the description; a description in the docs folder has no URL.
func absolute(address, base string) string {
	switch {
	case strings.HasPrefix(address, "//"):
		return "https:" + address
	case strings.Contains(address, "://") || strings.HasPrefix(address, "{"):
		return address
	case base == "":
		return ""
	}
	from, err := url.Parse(base)
	to, bad := url.Parse(address)
	if err != nil || bad != nil || to.Scheme != "" || from.User != nil {
		return ""
	}
	whole := from.ResolveReference(to)
	return strings.TrimSuffix(whole.Scheme+"://"+whole.Host+whole.Path, "/") // do not escape braces
}

// place is one possible host of a server, for certain values of its variables.
type place struct {
	origin string         // "" = chosen by the reader
	server openapi.Server // with the variables of its host replaced
}

// spreadMax limits the number of hosts that one server's variables produce.
const spreadMax = 100

// spread returns the hosts of a server. A variable with a list of values takes each of them in turn; any other variable
// takes its default.
func spread(s openapi.Server) (out []place) {
	host, rest := splitAddress(s.URL)
	filled, empty := []string{host}, false
	var others []openapi.Variable
	for _, v := range s.Variables {
		mark := "{" + v.Name + "}"
		if !strings.Contains(host, mark) {
			others = append(others, v)
			continue
		}
		values := v.Enum
		if v.Default != "" && !slices.Contains(values, v.Default) {
			values = append([]string{v.Default}, values...)
		}
		if len(values) == 0 {
			values, empty = []string{"x"}, true // test with any value whether the result is a valid URL
		}
		filled = product(filled, mark, values)
	}
	for _, f := range filled {
		one := openapi.Server{URL: strings.TrimSuffix(f, "/") + rest, Description: s.Description, Variables: others}
		host, _ := splitAddress(f) // must not contain variables that readers fill in later; a value may look like one
		if origin, ok := capability.Origin(host); ok && empty {
			out = append(out, place{"", one})
		} else if ok {
			out = append(out, place{origin, one})
		}
	}
	return out
}

func product(list []string, mark string, values []string) (out []string) {
	for _, s := range list {
		for _, v := range values {
			if len(out) >= spreadMax {
				return out
			}
			out = append(out, strings.ReplaceAll(s, mark, v))
		}
	}
	return out
}

// tokens returns the authentication requirements with absolute token URLs. Relative ones are resolved against the
// description's URL or the API's. URLs that must not be called are removed; readers then enter a token themselves.
func (in Input) tokens(list []openapi.Requirement, base string, server openapi.Server) []openapi.Requirement {
	if base == "" {
		base = server.Filled() + "/"
	}
	out := make([]openapi.Requirement, len(list))
	for i, req := range list {
		for _, s := range req {
			s.Flows = slices.Clone(s.Flows)
			for j := range s.Flows {
				f := &s.Flows[j]
				f.TokenURL, f.AuthorizationURL = in.tokenURL(f.TokenURL, base), in.tokenURL(f.AuthorizationURL, base)
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

func (in Input) tokenURL(address, base string) string {
	if address == "" {
		return ""
	}
	address = absolute(address, base)
	origin, ok := capability.Origin(address)
	if !ok || in.Playground.Closed && !in.open(origin) {
		return ""
	}
	return address
}
