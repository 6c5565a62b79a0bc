package link

import "strings"

// Cut splits a reference into its path and the rest: [path][?query][#anchor]. ok is false for references to other sites
// and to anchors on the same page.
func Cut(ref string) (body, rest string, ok bool) {
	body = ref
	if i := strings.IndexAny(ref, "?#"); i >= 0 {
		body, rest = ref[:i], ref[i:]
	}
	head, _, _ := strings.Cut(body, "/")
	if body == "" || strings.HasPrefix(body, "//") || strings.Contains(head, ":") ||
		strings.ContainsAny(body, "\\{}\n") {
		return "", "", false
	}
	return body, rest, true
}
