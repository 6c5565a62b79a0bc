package ogimage

import "image"

// surface is what text is drawn on.
type surface interface {
	// put draws a glyph with its pen position at a pixel.
	put(at image.Point, g *glyph, c ink)
}

// ink is a colour of text.
type ink uint8

const (
	inkTitle ink = iota
	inkSoft
	inkAccent
	inks
)

// Positions on a card, in pixels. Lines are positions of the baseline.
const (
	margin   = 80
	column   = Width - 2*margin
	nameLine = 118
	nameSize = 34
	hostLine = 564
	hostSize = 26
	roomTop  = 158 // vertical range of the page's text
	roomEnd  = 512
)

// style describes how one kind of text is set.
type style struct {
	size, leading, lines int
	rise                 int // distance from the top of its first line to the baseline
}

// titles are tried from the largest. The last one truncates text that does not fit.
var titles = []style{{76, 86, 1, 66}, {66, 76, 2, 58}, {54, 64, 3, 48}}

var (
	leads    = style{30, 44, 2, 32}
	sections = style{28, 34, 1, 26}
)

const (
	underSection = 18
	underTitle   = 26
)

// frame draws the common part of all cards of a site.
func (m *Maker) frame(s surface) {
	if m.named {
		m.faces.bold.line(s, image.Pt(margin, nameLine), []rune(m.name), nameSize, inkTitle)
	}
	m.faces.regular.line(s, image.Pt(margin, hostLine), []rune(m.host), hostSize, inkSoft)
}

// page draws the text of one page, centred in the available space.
func (m *Maker) page(s surface, t Text) {
	bold, regular := m.faces.bold, m.faces.regular
	title := bold.words(t.Title, titleMax)
	section, lead := bold.words(t.Section, sectionMax), regular.words(t.Description, leadMax)
	if title == "" { // in letters that the font does not have
		title = m.name
	}
	look, lines := m.title(title)
	head, _ := bold.wrap(section, sections.size, column, sections.lines)
	foot, _ := regular.wrap(lead, leads.size, column-60, leads.lines)
	height := len(lines) * look.leading
	if len(head) > 0 {
		height += sections.leading + underSection
	}
	if len(foot) > 0 {
		height += underTitle + len(foot)*leads.leading
	}
	y := roomTop + (roomEnd-roomTop-height)/2
	if len(head) > 0 {
		bold.line(s, image.Pt(margin, y+sections.rise), head[0], sections.size, inkAccent)
		y += sections.leading + underSection
	}
	for _, l := range lines {
		bold.line(s, image.Pt(margin, y+look.rise), l, look.size, inkTitle)
		y += look.leading
	}
	y += underTitle
	for _, l := range foot {
		regular.line(s, image.Pt(margin, y+leads.rise), l, leads.size, inkSoft)
		y += leads.leading
	}
}

// title returns the largest style in which the title fits.
func (m *Maker) title(text string) (style, [][]rune) {
	for _, s := range titles {
		if lines, whole := m.faces.bold.wrap(text, s.size, column, s.lines); whole {
			return s, lines
		}
	}
	last := titles[len(titles)-1]
	lines, _ := m.faces.bold.wrap(text, last.size, column, last.lines)
	return last, lines
}

// line draws one line of text starting at a point.
func (f *face) line(s surface, at image.Point, text []rune, size int, c ink) {
	pen := int64(0) // in units, because rounding to 26.6 pixels would accumulate errors
	for i, r := range text {
		if i > 0 {
			pen += int64(f.kern(text[i-1], r))
		}
		quarters := int(pen) * size * 4 / f.em
		key := glyphKey{r: r, size: uint16(size), sub: uint8(quarters & 3)}
		s.put(image.Pt(at.X+quarters>>2, at.Y), f.glyph(key), c)
		pen += int64(f.letter(r).advance)
	}
}
