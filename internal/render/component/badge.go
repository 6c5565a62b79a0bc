package component

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

var badgeColors = []string{"gray", "blue", "green", "yellow", "orange", "red", "purple",
	"white", "surface", "white-destructive", "surface-destructive"}
var badgeSizes = []string{"xs", "sm", "md", "lg"}

func badgeComponent() Component {
	return Component{Name: "Badge", Inline: true, Render: renderBadge, Props: []Prop{
		{Name: "color", Kind: Word, Values: badgeColors}, {Name: "size", Kind: Word, Values: badgeSizes},
		{Name: "shape", Kind: Word, Values: []string{"rounded", "pill"}},
		{Name: "icon", Kind: Icon}, {Name: "iconType", Kind: Text}, {Name: "stroke", Kind: Flag},
		{Name: "disabled", Kind: Flag},
		{Name: "variant", Ignored: true},
	}}
}

// known returns word if it is in words, and otherwise the default.
func known(word string, words []string, otherwise string) string {
	if slices.Contains(words, word) {
		return word
	}
	return otherwise
}

func renderBadge(w *Writer, e *ast.Element) {
	class := "badge"
	if c := e.Str("color"); slices.Contains(badgeColors, c) && c != "gray" {
		class += " badge-" + c
	}
	if s := e.Str("size"); slices.Contains(badgeSizes, s) && s != "md" {
		class += " badge-" + s
	}
	if e.Str("shape") == "pill" {
		class += " badge-pill"
	}
	if e.Flag("stroke") {
		class += " badge-stroke"
	}
	if e.Flag("disabled") {
		class += " badge-disabled"
	}
	w.start("span", class, w.own(e), e)
	w.Raw(` data-badge=""`)
	w.Attr("data-color", known(e.Str("color"), badgeColors, "gray"))
	w.Attr("data-size", known(e.Str("size"), badgeSizes, "md"))
	w.Raw(`>`)
	w.icon(e, "icon", "badge-icon", "")
	w.Render(e.Children)
	w.Raw(`</span>`)
}
