package sourcetree

import (
	"path"
	"slices"
	"strings"
)

// maxHops limits the links followed while resolving one link, as in operating systems.
const maxHops = 40

// resolve follows target from dir, element by element, through further links. It returns the path and the node, or
// the reason why the target cannot be reached.
func (p *planner) resolve(dir, target string) (string, *node, string) {
	if target == "" || len(target) > maxPath*4 {
		return "", nil, "its target is empty or too long"
	}
	if strings.HasPrefix(target, "/") {
		return "", nil, "it points outside the docs folder"
	}
	at := elements(dir)
	rest := elements(target)
	for hops := 0; len(rest) > 0; {
		p.visited++ // the limit on visits stops cyclic links
		element := rest[0]
		rest = rest[1:]
		if element == ".." {
			if len(at) == 0 {
				return "", nil, "it points outside the docs folder"
			}
			at = at[:len(at)-1]
			continue
		}
		at = append(at, element)
		n := p.find(at)
		if n == nil {
			return "", nil, "its target does not exist"
		}
		if n.entry == nil || n.entry.Kind != Link {
			continue
		}
		if hops++; hops > maxHops {
			return "", nil, "it resolves through too many links"
		}
		if strings.HasPrefix(n.entry.Target, "/") {
			return "", nil, "it points outside the docs folder"
		}
		at = at[:len(at)-1]
		rest = append(elements(n.entry.Target), rest...)
	}
	return path.Join(at...), p.find(at), ""
}

// elements splits a path; empty elements and "." are dropped, ".." is kept.
func elements(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(e string) bool { return e == "" || e == "." })
}

func (p *planner) find(at []string) *node {
	n := p.root
	for _, e := range at {
		if n = n.children[e]; n == nil {
			return nil
		}
	}
	return n
}
