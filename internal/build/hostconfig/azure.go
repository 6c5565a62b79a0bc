package hostconfig

import (
	"encoding/json"
	"path"
	"strings"
)

// azureBytes is the maximum size of the file.
const azureBytes = 20 << 10

// azure writes staticwebapp.config.json. Its rules can have a wildcard only at their end, and cannot use the
// matched text.
func azure(s Site) *sheet {
	h := &sheet{host: "Azure Static Web Apps", path: path.Join(Folder, "staticwebapp.config.json")}
	routes, size := []dict{}, 1000
	add := func(r dict) bool {
		data, _ := json.MarshalIndent(r, "    ", "  ") // strings and numbers can always be encoded
		size += len(data) + 8
		if size <= azureBytes {
			routes = append(routes, r)
		}
		return size <= azureBytes
	}
	for _, folder := range s.Lasting {
		add(dict{"route": s.Base + "/" + folder + "/*", "headers": dict{"Cache-Control": lasting}})
	}
	for _, m := range s.Moved {
		at, why := s.Base, ""
		for i, p := range m.Pieces {
			switch at += "/" + p.Literal; {
			case !usable(m) || strings.ContainsAny(p.Literal, "*{},"):
				why = whyCharacters
			case p.Many && p.Literal == "" && i == len(m.Pieces)-1:
				at += "*"
			case p.Name != "":
				why = whyWildcards
			}
		}
		to, ok := fixed(m.To)
		switch {
		case why != "":
		case !ok:
			why = whyWildcards
		case m.Covers:
			why = whyCovers
		}
		if local(m.To) {
			to = escapePath(s.Base) + to
		}
		if why == "" && !add(dict{"route": at, "redirect": to, "statusCode": code(m)}) {
			why = whyMany
		}
		if why != "" {
			h.leave(m, why)
		}
	}
	return h.object(dict{
		"routes": routes, "responseOverrides": dict{"404": dict{"rewrite": s.Base + "/404.html"}},
		"mimeTypes": dict{".md": "text/markdown; charset=utf-8"},
	})
}
