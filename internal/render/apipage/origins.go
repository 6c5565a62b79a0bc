package apipage

import (
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Origins collects the origins that readers of a site's pages may call: the origins of servers and token endpoints. The
// zero value is ready to use. Its size depends on the number of origins, not of pages.
type Origins struct {
	set    map[string]bool
	needed bool
	// shared caches the first allowed server of a description's own list of servers, which most operations share. The
	// key is the first server of the list; nil means that no server is allowed.
	shared map[*openapi.Server]*openapi.Server
}

// originMax limits the origins of one site. Even the longest ones fit into the list that the proxy reads.
const originMax = 1500

// Add adds the origins of a page. A page without a playground or without a proxy adds nothing.
func (o *Origins) Add(in Input) {
	if in.Look.NoProxy {
		return
	}
	r, base, ok := in.written()
	if !ok || len(r.servers) == 0 {
		return
	}
	list := &r.servers[0]
	first, known := o.shared[list]
	if !known {
		first = o.servers(in.allowed(r.servers, base))
		if in.sharing(list) {
			if o.shared == nil {
				o.shared = map[*openapi.Server]*openapi.Server{}
			}
			o.shared[list] = first
		}
	}
	if first == nil {
		return
	}
	o.needed = true
	for _, req := range in.tokens(r.security, base, *first) {
		for _, s := range req {
			for _, f := range s.Flows {
				if origin, ok := capability.Origin(f.TokenURL); ok {
					o.add(origin)
				}
			}
		}
	}
}

// sharing reports whether list is the description's own list of servers. It compares pointers to the first server.
func (in Input) sharing(list *openapi.Server) bool {
	spec := in.Specs.Spec(in.Page.API.Spec)
	return spec != nil && len(spec.Servers) > 0 && &spec.Servers[0] == list
}

func (o *Origins) servers(list []openapi.Server) (first *openapi.Server) {
	for i, s := range list {
		if i == 0 {
			first = &s
		}
		for _, p := range spread(s) {
			o.add(p.origin)
		}
	}
	return first
}

func (o *Origins) add(origin string) {
	if o.set == nil {
		o.set = map[string]bool{}
	}
	if origin != "" && len(o.set) < originMax {
		o.set[origin] = true
	}
}

// Needed reports whether readers of any page may need the proxy, even if no origin is known in advance.
func (o *Origins) Needed() bool { return o.needed }

// List returns the origins, sorted.
func (o *Origins) List() []string { return slices.Sorted(maps.Keys(o.set)) }
