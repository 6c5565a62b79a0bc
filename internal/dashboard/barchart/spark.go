package barchart

import (
	"fmt"
	"html"
	"html/template"
	"strings"
)

const sparkHeight = 32 // pixels

// Spark draws counts as a small bar chart next to their sum. It returns "" if there are no counts.
func Spark(title string, values []int64) template.HTML {
	var most int64
	for _, v := range values {
		most = max(most, v)
	}
	if len(values) == 0 {
		return ""
	}
	room := 100 / float64(len(values))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" width="100%%" height="%d" role="img" aria-label="%s">`, sparkHeight,
		html.EscapeString(title))
	for i, v := range values {
		h := 1.0 // a day with zero is a line
		if v > 0 {
			h = max(2, float64(v)/float64(most)*sparkHeight)
		}
		fmt.Fprintf(&b, `<rect class="pillar" x="%s%%" y="%s" width="%s%%" height="%s"/>`,
			pc((float64(i)+(1-barShare)/2)*room), px(sparkHeight-h), pc(room*barShare), px(h))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // consists of numbers and escaped text
}
