package component

import "strings"

// Suggest is a hint for a name that no component has: the closest one, or where to look.
func Suggest(name string) string {
	best, limit := "", len(name)/3+1
	for known := range byName {
		if d := distance(strings.ToLower(clip(name)), strings.ToLower(known)); d < limit || d == limit && best != "" && known < best {
			best, limit = known, d
		}
	}
	if best != "" {
		return "Did you mean <" + best + ">?"
	}
	return "Import it from a file in the docs folder, or define it with export const."
}
