package component

import (
	"maps"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
)

// Suggest returns a hint for an unknown component name: the most similar name, or an explanation of where components
// come from.
func Suggest(name string) string {
	if near := didyoumean.Word(name, maps.Keys(byName)); near != "" {
		return "Did you mean <" + near + ">?"
	}
	return "Import it from a file in the docs folder, or define it with export const."
}
