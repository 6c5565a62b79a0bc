package docsjson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
)

const (
	maxHomes = 3 // maximum number of positions in a hint; a key with more is too common for a useful hint
	maxNames = 8 // maximum number of known keys in a hint
)

// instead returns a hint about an unknown key of an object: a key with a similar name, the positions where a key with
// this name belongs, or the keys that the object may have. It returns "" if there are too many of them.
func (c *checker) instead(name string, s *shape) string {
	if near := didyoumean.Word(name, s.names); near != "" {
		return "Did you mean " + strconv.Quote(near) + "?"
	}
	if c.homes == nil {
		c.homes = homes()
	}
	if places := c.homes[strings.ToLower(name)]; len(places) > 0 && len(places) <= maxHomes {
		return "The key belongs elsewhere: " + strings.Join(places, " or ") + "."
	}
	var names []string
	for known := range s.names {
		names = append(names, known)
	}
	if len(names) == 0 || len(names) > maxNames {
		return ""
	}
	return "Known keys here: " + strings.Join(names, ", ") + "."
}

// homes returns the shortest paths of the keys of docs.json, by name in lower case.
func homes() map[string][]string {
	out := map[string][]string{}
	depth := func(path string) int { return strings.Count(path, ".") }
	for _, use := range Keys() {
		name := strings.ToLower(use.Path[strings.LastIndexByte(use.Path, '.')+1:])
		if use.Status != Honoured || strings.Contains(use.Path, "*") {
			continue
		}
		if have := out[name]; len(have) > 0 && depth(have[0]) > depth(use.Path) {
			out[name] = nil
		}
		if have := out[name]; len(have) == 0 || depth(have[0]) == depth(use.Path) && !slices.Contains(have, use.Path) {
			out[name] = append(have, use.Path)
		}
	}
	return out
}
