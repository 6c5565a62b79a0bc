package debian

import (
	"fmt"
	"slices"
	"strings"
)

// section returns a field of a control stanza: the rest of its line and the following indented lines.
func section(stanza, name string) string {
	var out []string
	inside := false
	for _, line := range strings.Split(stanza, "\n") {
		switch {
		case strings.HasPrefix(line, name+":"):
			inside = true
			out = append(out, strings.TrimSpace(line[len(name)+1:]))
		case inside && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")):
			out = append(out, strings.TrimSpace(line))
		case inside:
			return strings.Join(out, "\n")
		}
	}
	return strings.Join(out, "\n")
}

func candidateOf(stanza, archive string) (candidate, error) {
	p, err := parsePackage([]string{"any", section(stanza, "Package"), section(stanza, "Version"),
		section(stanza, "Size"), section(stanza, "SHA256"),
		archive + "/" + section(stanza, "Filename")})
	if err != nil {
		return candidate{}, err
	}
	c := candidate{Package: p}
	for _, field := range []string{"Pre-Depends", "Depends"} {
		for one := range strings.SplitSeq(section(stanza, field), ",") {
			first, _, _ := strings.Cut(one, "|")
			name, _, _ := strings.Cut(strings.TrimSpace(first), " ")
			name, _, _ = strings.Cut(name, ":")
			if name != "" {
				c.depends = append(c.depends, name)
			}
		}
	}
	return c, nil
}

// closure lists the roots and their dependencies, sorted by name.
func closure(known map[string]candidate) ([]candidate, error) {
	var out []candidate
	seen := map[string]bool{}
	for todo := append([]string{}, roots...); len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		if seen[name] || slices.Contains(passed, name) {
			continue
		}
		seen[name] = true
		c, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("find packages: the indexes have no %s", name)
		}
		out = append(out, c)
		todo = append(todo, c.depends...)
	}
	slices.SortFunc(out, func(a, b candidate) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
