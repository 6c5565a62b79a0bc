package asset

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/site"
)

// file returns the path of an author's file in the tree, or "" if it does not exist.
func (l *lettering) file(ref string) string { return ownFile(l.site, ref) }

func ownFile(s *site.Site, ref string) string {
	ref = strings.TrimPrefix(path.Clean("/"+strings.TrimSpace(ref)), "/")
	for _, a := range s.Assets {
		if a.Path == ref {
			return ref
		}
	}
	return ""
}

// formats maps file extensions to the names of font formats in CSS.
var formats = map[string]string{".woff2": "woff2", ".woff": "woff", ".ttf": "truetype", ".otf": "opentype"}

// fileStack writes the font face for an author's file.
func (l *lettering) fileStack(f site.Font, file string) string {
	family := strings.TrimSpace(f.Family)
	if family == "" {
		family = "Site font"
	}
	stack := quote(family) + ", " + systemSans
	weight := "normal"
	switch lower := strings.ToLower(path.Base(file)); {
	case strings.Contains(lower, "variable"), strings.Contains(lower, "wght"), strings.Contains(lower, "-vf."):
		weight = "1 1000"
	case f.Weight > 0:
		weight = fmt.Sprint(f.Weight)
	}
	key := family + "\x00" + file + "\x00" + weight
	if l.named[key] {
		return stack
	}
	l.named[key] = true
	kind := formats[strings.ToLower(path.Ext(file))]
	if f.Format == "woff" || f.Format == "woff2" {
		kind = f.Format
	}
	format := ""
	if kind != "" {
		format = ` format("` + kind + `")`
	}
	if kind == "woff2" {
		l.early = append(l.early, file)
	}
	fmt.Fprintf(&l.faces, "@font-face { font-family: %s; font-weight: %s; font-display: optional; src: url(%s)%s; }\n",
		quote(family), weight, fromFolder(file), format)
	return stack
}

// remote reports whether a reference is a URL on another host, or has a scheme.
func remote(ref string) bool {
	ref = strings.ReplaceAll(strings.TrimSpace(ref), "\\", "/")
	if strings.HasPrefix(ref, "//") {
		return true
	}
	scheme, _, ok := strings.Cut(ref, ":")
	return ok && !strings.ContainsAny(scheme, "/?#.")
}

// fromFolder returns the URL of a file of the tree, in quotes, relative to the style sheets in Folder.
func fromFolder(file string) string {
	parts := strings.Split(file, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return quote("../" + strings.Join(parts, "/"))
}

// quote returns a CSS string. Characters that could end the string, the rule or the sheet are escaped by their
// code.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < ' ' || r == '"' || r == '\\' || r == '<' || r == '>' || r >= 0x7f && r < 0xa0 || r == 0xfffd:
			fmt.Fprintf(&b, `\%x `, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// cut truncates a text so that it can be quoted in a finding.
func cut(s string) string {
	return clip.Runes(s, 80)
}
