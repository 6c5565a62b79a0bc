package site

import (
	"cmp"
	"path"
	"strings"
)

// Division is a language or a version of the site. Folder is the folder that contains all its pages, or "".
type Division struct{ Name, Folder string }

// Counterpart returns the path of the same page in another language or version, or "". That path differs only in the
// folder that is named after the language or version, or that contains all of its pages. has reports whether a page
// exists in the other language or version.
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

// CommonFolder returns the folder that contains all of these pages, or "".
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
