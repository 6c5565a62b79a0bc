package hostconfig

import (
	"path"
)

// firebase writes firebase.json, for a bundle in the folder public.
func firebase(s Site) *sheet {
	h := &sheet{host: "Firebase Hosting", path: path.Join(Folder, "firebase.json")}
	redirects := []dict{}
	named := decoded
	named.named = true
	for _, m := range s.Moved {
		re, groups, ok := named.pattern(m, s.Base)
		switch {
		case !usable(m):
			h.leave(m, whyCharacters)
		case !ok:
			h.leave(m, whyWildcards)
		case m.Covers:
			h.leave(m, whyCovers)
		case !local(m.To) && port(m.To[0].Literal):
			h.leave(m, whyAddress)
		default:
			to := destination(m.To, s.Base, groups, notation, func(n int) string { return ":" + letter(n) })
			redirects = append(redirects, dict{"regex": "^" + re + "/?$", "destination": to, "type": code(m)})
		}
	}
	var lastingFiles []dict
	for _, folder := range s.Lasting {
		lastingFiles = append(lastingFiles, cached("source", s.Base+"/"+folder+"/**"))
	}
	return h.object(dict{"hosting": dict{
		"public": "public", "cleanUrls": true, "redirects": redirects, "headers": lastingFiles,
	}})
}
