package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
)

// around counts an element that chooses the file which its <img> shows.
func around(name string) int {
	if name == "picture" {
		return 1
	}
	return 0
}

// size writes the attributes that keep the place of an <img> free while it loads, when its author left them out. A style sheet makes
// proportions of them (height: auto), so that nothing is drawn otherwise than without them. Where one sets the height, which the width
// would have to follow, and where the browser chooses among files, there are none.
func (p *page) size(list []attr, src component.Address) {
	if src.Width <= 0 || src.Height <= 0 || p.pictures > 0 {
		return
	}
	width := ""
	for _, a := range list {
		switch a.name {
		case "height", "srcset":
			return
		case "width":
			width = a.value
		case "style":
			if setsHeight(styleText(a.prop.Value)) {
				return
			}
		case "class":
			if !p.leavesHeight(a.value) {
				return
			}
		}
	}
	if width == "" {
		src.Size(p.w.Buffer)
		return
	}
	if w, ok := pixels(width); ok {
		if h := math.Round(w * float64(src.Height) / float64(src.Width)); h >= 1 && h < 1<<16 {
			p.w.Attr("height", strconv.Itoa(int(h)))
		}
	}
}

// leavesHeight tells whether all of these classes are known, and none sets the height. Others may be of the author's own style sheet.
func (p *page) leavesHeight(classes string) bool {
	for class := range strings.FieldsSeq(classes) {
		if class == "not-prose" {
			continue
		}
		if p.opt.Class == nil {
			return false
		}
		if css, ok := p.opt.Class(class); !ok || setsHeight(css) {
			return false
		}
	}
	return true
}

// setsHeight tells declarations that a height follows from.
func setsHeight(css string) bool {
	for decl := range strings.SplitSeq(css, ";") {
		name, value, _ := strings.Cut(decl, ":")
		name = strings.TrimSpace(name)
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		sets := strings.HasSuffix(name, "height") && name != "line-height" || strings.HasSuffix(name, "block-size") || name == "all"
		if sets && value != "auto" && value != "none" {
			return true
		}
	}
	return false
}

// pixels reads a width attribute as a browser does; ok is false for shares of the place.
func pixels(value string) (n float64, ok bool) {
	value = strings.TrimSpace(value)
	end := 0
	for end < len(value) && end < 20 && (value[end] >= '0' && value[end] <= '9' || value[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	return n, err == nil && n > 0 && !strings.HasPrefix(value[end:], "%")
}

// styleText is a style attribute's text, without findings: they are told where it is written.
func styleText(value any) string {
	css, _ := cssstyle.Text(value)
	return css
}
