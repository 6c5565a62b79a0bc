package render

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/cssstyle"
)

// pictureDepth returns 1 for an element that lets browsers choose the file of an <img> inside it, otherwise 0.
func pictureDepth(name string) int {
	if name == "picture" {
		return 1
	}
	return 0
}

// writeImageSize writes the width and height of an <img> if its author left them out, to reserve space while it loads.
// The style sheet uses only the ratio of the two (height: auto), so they do not change the appearance. writeImageSize
// writes nothing if a style sets the height, because the width would have to match, or if the browser selects one of
// several files.
func (p *page) writeImageSize(list []attr, src component.Address) {
	if src.Width <= 0 || src.Height <= 0 || p.pictureDepth > 0 {
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

// firstView is the maximum size, in bytes, of the HTML before an image that is probably visible immediately.
const firstView = 4 << 10

// writeLoading writes the attributes that decide when a browser loads an image. The first image on the page is loaded
// at once if it is near the top, all others when they get close to the viewport. hidden is set for images that are
// shown only under some condition.
func (p *page) writeLoading(loading string, hidden bool) {
	first := !p.pictured && !hidden && p.w.Len() < firstView
	p.pictured = p.pictured || first
	if loading == "" && !first {
		p.w.Raw(` loading="lazy"`)
	}
	p.w.Raw(` decoding="async"`)
}

// writeSources writes the narrower copies of an image. Client components select their images themselves, by URL.
func (p *page) writeSources(to component.Address, shown int) {
	if p.islandDepth == 0 {
		to.SourceSet(p.w.Buffer, shown)
	}
}

// writesSize reports whether writeImageSize writes the width of an image with known size.
func (p *page) writesSize(list []attr) bool {
	return !slices.ContainsFunc(list, func(a attr) bool {
		switch a.name {
		case "height", "width", "srcset":
			return true
		case "style":
			return setsHeight(styleText(a.prop.Value))
		case "class":
			return !p.leavesHeight(a.value)
		}
		return false
	})
}

// writeImageLoading writes the loading attributes of an <img> that its author left out.
func (p *page) writeImageLoading(list []attr, src component.Address) {
	var loading, decoding string
	var hidden, chosen bool
	shown := 0
	for _, a := range list {
		switch a.name {
		case "srcset", "sizes":
			chosen = true
		case "loading":
			loading = a.value
		case "decoding":
			decoding = a.value
		case "class":
			hidden = strings.Contains(a.value, "hidden")
		case "width":
			if w, ok := pixels(a.value); ok && w < 1<<16 {
				shown = int(math.Ceil(w))
			}
		}
	}
	// without a width, the page would show a narrower copy in a different size
	if !chosen && p.pictureDepth == 0 && (shown > 0 || p.writesSize(list)) {
		p.writeSources(src, shown)
	}
	if decoding == "" {
		p.writeLoading(loading, hidden)
	} else if loading == "" {
		p.w.Raw(` loading="lazy"`)
	}
}

// leavesHeight reports whether all classes are known and none of them sets the height. Unknown classes may come
// from the author's style sheet.
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

// setsHeight reports whether declarations set the height.
func setsHeight(css string) bool {
	for decl := range strings.SplitSeq(css, ";") {
		name, value, _ := strings.Cut(decl, ":")
		name = strings.TrimSpace(name)
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		sets := strings.HasSuffix(name, "height") && name != "line-height" || strings.HasSuffix(name, "block-size") ||
			name == "all"
		if sets && value != "auto" && value != "none" {
			return true
		}
	}
	return false
}

// pixels parses a width attribute as browsers do. ok is false for percentages.
func pixels(value string) (n float64, ok bool) {
	value = strings.TrimSpace(value)
	end := 0
	for end < len(value) && end < 20 && (value[end] >= '0' && value[end] <= '9' || value[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	return n, err == nil && n > 0 && !strings.HasPrefix(value[end:], "%")
}

// styleText returns the text of a style attribute. It drops findings, because they are reported when the attribute is
// written.
func styleText(value any) string {
	css, _ := cssstyle.Text(value)
	return css
}
