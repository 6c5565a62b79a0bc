package site

import (
	"cmp"
	"path"
	"strings"
)

// Division is a language or a version of the site: its name, and the folder that all its pages are in, "" when there is
// none.
type Division struct{ Name, Folder string }

// Counterpart returns the path that a page of one language or version has in another: the same, but for the folder named
// after it, or for the folder that all its pages are in. has reports whether the other one has a page. "" when there is
// none.
func Counterpart(page string, from, to Division, has func(page string) bool) string {
	parts := strings.Split(page, "/")
	try := func(parts ...string) string {
		if name := strings.Join(parts, "/"); has(name) {
			return name
		}
		return ""
	}
	for i, part := range parts {
		if !strings.EqualFold(part, from.Name) {
			continue
		}
		before, after := parts[:i:i], parts[i+1:]
		if p := cmp.Or(try(append(append(before, to.Name), after...)...), try(append(before, after...)...)); p != "" {
			return p
		}
		break
	}
	if p := try(append([]string{to.Name}, parts...)...); p != "" {
		return p
	}
	rest, ok := page, true
	if from.Folder != "" {
		rest, ok = strings.CutPrefix(rest, from.Folder+"/")
	}
	if !ok {
		return ""
	}
	return try(path.Join(to.Folder, rest))
}

// CommonFolder returns the folder that all of these pages are in, "" when there is none.
func CommonFolder(pages []string) (folder string) {
	for i, p := range pages {
		dir := path.Dir(p)
		if i == 0 {
			folder = dir
		}
		for folder != "." && dir != folder && !strings.HasPrefix(dir, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	return strings.TrimPrefix(folder, ".")
}
