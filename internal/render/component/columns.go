package component

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func columnsComponents() []Component {
	props := []Prop{
		{Name: "cols", Kind: Number}, {Name: "columns", Kind: Number}, {Name: "gap", Ignored: true},
		{Name: "title", Ignored: true},
	}
	return []Component{
		{Name: "Columns", Render: renderColumns, Props: props},
		{Name: "CardGroup", Render: renderColumns, Props: props},
		{Name: "Column", Render: renderColumn,
			Props: []Prop{{Name: "align", Kind: Word, Values: []string{"left", "center", "right"}}}},
	}
}

func renderColumns(w *Writer, e *ast.Element) {
	cols, ok := number(e.Prop("cols"))
	if !ok {
		if cols, ok = number(e.Prop("columns")); !ok {
			cols = 2
		}
	}
	n := int(min(max(cols, 1), 6)) // the format documents 1 to 4; real pages use up to 6
	class := "columns"
	if e.Name == "CardGroup" {
		class += " card-group"
	}
	w.start("div", class, w.own(e), e, "--cols: "+strconv.Itoa(n))
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</div>`)
}

func renderColumn(w *Writer, e *ast.Element) {
	class := "column flow"
	switch e.Str("align") {
	case "center":
		class += " column-center"
	case "right":
		class += " column-end"
	}
	w.start("div", class, w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</div>`)
}
