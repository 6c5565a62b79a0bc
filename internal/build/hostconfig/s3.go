package hostconfig

import (
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// s3Rules is the maximum number of rules that a bucket can have.
const s3Rules = 50

// s3 writes the website configuration of a bucket. Its rules can only match prefixes, and only apply to paths without a
// file.
func s3(s Site) *sheet {
	h := &sheet{host: "Amazon S3", path: path.Join(Folder, "s3-website.json")}
	rules := []dict{}
	base := strings.TrimPrefix(s.Base+"/", "/")
	for _, m := range s.Moved {
		if _, ok := m.Exact(); ok {
			continue // a page of the bundle redirects from there
		}
		prefix, to, why := s3Rule(m, base)
		if why == "" && len(rules) >= s3Rules {
			why = whyMany
		}
		if why != "" {
			h.leave(m, why)
			continue
		}
		to["HttpRedirectCode"] = strconv.Itoa(code(m))
		rules = append(rules, dict{"Condition": dict{"KeyPrefixEquals": prefix, "HttpErrorCodeReturnedEquals": "404"},
			"Redirect": to})
	}
	config := dict{"IndexDocument": dict{"Suffix": "index.html"}, "ErrorDocument": dict{"Key": base + "404.html"}}
	if len(rules) > 0 {
		config["RoutingRules"] = rules
	}
	return h.object(config)
}

func s3Rule(m link.Moved, base string) (prefix string, to dict, why string) {
	prefix = base
	for i, p := range m.Pieces {
		prefix += p.Literal
		if last := i == len(m.Pieces)-1; p.Name != "" && !(p.Many && last) {
			return "", nil, whyWildcards
		} else if !last {
			prefix += "/"
		}
	}
	if !usable(m) {
		return "", nil, whyCharacters
	}
	if rewritten(m) || strings.Contains(written(m.To), "%") {
		return "", nil, whyAddress
	}
	to = dict{}
	rest := m.To[0].Literal
	if !local(m.To) {
		scheme, after, _ := strings.Cut(rest, "://")
		host, below, _ := strings.Cut(after, "/")
		if port(rest) || host == "" {
			return "", nil, whyAddress
		}
		to["Protocol"], to["HostName"], rest = scheme, host, "/"+below
		base = ""
	}
	key := base + strings.TrimPrefix(rest, "/")
	switch last := m.To[len(m.To)-1]; {
	case len(m.To) == 1 && m.File != "":
		to["ReplaceKeyWith"] = base + m.File
	case len(m.To) == 1:
		to["ReplaceKeyWith"] = key
	case len(m.To) == 2 && last.Name == m.Pieces[len(m.Pieces)-1].Name:
		to["ReplaceKeyPrefixWith"] = key
	default:
		return "", nil, whyWildcards
	}
	return prefix, to, ""
}
