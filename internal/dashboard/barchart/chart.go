package barchart

import (
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"
	"time"
)

// Series is one kind of count.
type Series struct {
	Class  string // of its bars; the style sheet sets the color
	Name   string // such as "people"
	Values []int64
}

// Chart has stacked bars of several series, the first one at the bottom. All series have a value for each day.
type Chart struct {
	Title  string // description for screen readers
	Days   []time.Time
	Series []Series
}

// Vertical sizes in pixels. Horizontally everything is in percent of the width, so that the drawing fits every screen
// without scaling the letters.
const (
	height   = 220
	top      = 22 // space for the highest line's label
	bottom   = 24 // space for the dates
	plot     = height - top - bottom
	barShare = 0.74 // of a day's width
	labels   = 6    // maximum number of labeled days
)

// Most returns the highest daily sum.
func (c Chart) Most() (most int64) {
	for i := range c.Days {
		most = max(most, c.sum(i))
	}
	return most
}

func (c Chart) sum(day int) (n int64) {
	for _, s := range c.Series {
		n += s.Values[day]
	}
	return n
}

// SVG draws the chart. It returns "" if there are no days.
func (c Chart) SVG() template.HTML {
	if len(c.Days) == 0 {
		return ""
	}
	lines := ticks(c.Most())
	full := lines[len(lines)-1]
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" width="100%%" height="%d" role="img" aria-label="%s">`, height,
		html.EscapeString(c.Title))
	for _, v := range lines {
		y := top + plot - length(v, full)
		fmt.Fprintf(&b,
			`<line class="grid" x1="0" x2="100%%" y1="%s" y2="%s"/><text class="scale" x="0" y="%s">%s</text>`, px(y),
			px(y), px(y-4), brief(v))
	}
	for i := range c.Days {
		c.bar(&b, i, full)
	}
	c.names(&b)
	b.WriteString("</svg>")
	return template.HTML(b.String()) // consists of numbers, our own text, and escaped text
}

// bar draws one day. Its tooltip appears anywhere in the day's column.
func (c Chart) bar(b *strings.Builder, day int, full int64) {
	room := 100 / float64(len(c.Days))
	fmt.Fprintf(b, `<g><title>%s</title><rect class="day" x="%s%%" y="%d" width="%s%%" height="%d"/>`,
		html.EscapeString(c.dayTitle(day)), pc(float64(day)*room), top, pc(room), plot)
	y := float64(top + plot)
	for _, s := range c.Series {
		h := length(s.Values[day], full)
		if h == 0 {
			continue
		}
		y -= h
		fmt.Fprintf(b, `<rect class="pillar %s" x="%s%%" y="%s" width="%s%%" height="%s"/>`, html.EscapeString(s.Class),
			pc((float64(day)+(1-barShare)/2)*room), px(y), pc(room*barShare), px(h))
	}
	b.WriteString("</g>")
}

// dayTitle describes the counts of a day: "3 March 2026: 12 people, 1 AI".
func (c Chart) dayTitle(day int) string {
	parts := make([]string, len(c.Series))
	for i, s := range c.Series {
		parts[i] = Number(s.Values[day]) + " " + s.Name
	}
	return c.Days[day].Format("2 January 2006") + ": " + strings.Join(parts, ", ")
}

// names labels some of the days below their bars: the first and the last at the edges.
func (c Chart) names(b *strings.Builder) {
	n := len(c.Days)
	shown := min(labels, n)
	for i := range shown {
		day, anchor, x := 0, "start", 0.0
		if shown > 1 {
			day = i * (n - 1) / (shown - 1)
			x = (float64(day) + 0.5) * 100 / float64(n)
			anchor = "middle"
		}
		switch {
		case i == 0:
			anchor, x = "start", 0
		case i == shown-1:
			anchor, x = "end", 100
		}
		fmt.Fprintf(b, `<text class="name" x="%s%%" y="%d" text-anchor="%s">%s</text>`, pc(x), height-6, anchor,
			c.Days[day].Format("2 Jan"))
	}
}

// length returns the height of a value in pixels; values above 0 are always visible.
func length(v, full int64) float64 {
	if v <= 0 || full <= 0 {
		return 0
	}
	return max(1, float64(v)/float64(full)*plot)
}

func px(v float64) string { return strconv.FormatFloat(v, 'f', -1, 32) }

// pc formats a percentage with sufficient precision.
func pc(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0"), ".")
}
