package tailwind

import (
	"strconv"
	"strings"
)

// color is a colour given by name or in brackets. If its channels are known, an opacity can be added to them. Otherwise
// the colour is mixed with transparency.
type color struct {
	known   bool
	rgb     rgb
	literal string
}

// color finds a colour such as "sky-500", "primary", "current", "[#fff]".
func (g *Generator) color(name string) (color, bool) {
	if c, ok := g.site[name]; ok {
		return color{known: true, rgb: c}, true
	}
	if c, ok := palette[name]; ok {
		return color{known: true, rgb: c}, true
	}
	switch name {
	case "transparent", "inherit":
		return color{literal: name}, true
	case "primary", "primary-light", "primary-dark": // the site has not set this colour
		return color{literal: "var(--accent)"}, true
	case "current":
		return color{literal: "currentColor"}, true
	}
	inner, kind, ok := bracketed(name)
	if !ok || kind != kindColor && kind != kindUnknown {
		return color{}, false
	}
	if c, ok := parseHex(inner); ok {
		return color{known: true, rgb: c}, true
	}
	return color{literal: inner}, true
}

// with returns the colour with an opacity. The opacity is a number between 0 and 1, or an expression for one.
func (c color) with(opacity string) string {
	switch {
	case c.known:
		return "rgb(" + c.rgb.channels() + " / " + opacity + ")"
	case c.literal == "inherit":
		return "inherit"
	}
	if opacity == "0" && c.literal == "transparent" {
		return "rgb(0 0 0 / 0)"
	}
	return "color-mix(in srgb, " + c.literal + " calc(" + opacity + " * 100%), transparent)"
}

func (c color) solid() string {
	if c.known {
		return c.rgb.hex()
	}
	return c.literal
}

// opacity parses the part after "/", which is a percentage without the percent sign, or a value in brackets.
func opacity(modifier string) (string, bool) {
	if n, err := strconv.Atoi(modifier); err == nil && n >= 0 && n <= 100 && modifier[0] != '+' {
		return number(float64(n) / 100), true
	}
	inner, _, ok := bracketed(modifier)
	if percent, is := strings.CutSuffix(inner, "%"); is {
		f, err := strconv.ParseFloat(percent, 64)
		return number(f / 100), ok && err == nil && f >= 0 && f <= 100
	}
	f, err := strconv.ParseFloat(inner, 64)
	return inner, ok && err == nil && f >= 0 && f <= 1
}

// scale finds a value in the scale called name: one of the lists, text sizes, shadows, or colours.
func (g *Generator) scale(name, value, modifier string) (result, bool) {
	if pairs, ok := lists[name]; ok {
		v, found := pairs[value]
		return plain(v), found && modifier == ""
	}
	switch name {
	case "textsize":
		return textSize(value, modifier)
	case "shadow":
		return shadow(value, modifier)
	}
	c, ok := g.color(value)
	if !ok {
		return result{}, false
	}
	alpha := ""
	if modifier != "" {
		if alpha, ok = opacity(modifier); !ok {
			return result{}, false
		}
	}
	family, tracked := strings.CutPrefix(name, "color:") // a separate class can set its opacity: bg-opacity-50
	switch {
	case alpha != "":
		return result{value: c.with(alpha), clear: c.with("0")}, true
	case tracked && c.known:
		v := "--tw-" + family + "-opacity"
		return result{value: c.with("var(" + v + ", 1)"), before: v + ":1;"}, true
	}
	return result{value: c.solid(), clear: c.with("0")}, true
}

func textSize(value, modifier string) (result, bool) {
	size, found := textSizes[value]
	if !found {
		inner, kind, ok := bracketed(value)
		if !ok || kind != kindLength {
			return result{}, false
		}
		size = [2]string{inner, ""}
	}
	if modifier != "" {
		height, ok := lists["spacing"][modifier]
		if named, is := leadings[modifier]; is {
			height, ok = named, true
		}
		if inner, _, is := bracketed(modifier); is {
			height, ok = inner, true
		}
		if !ok {
			return result{}, false
		}
		size[1] = height
	}
	if size[1] == "" {
		return plain("font-size:" + size[0]), true
	}
	return plain("font-size:" + size[0] + ";line-height:" + size[1]), true
}

var leadings = list("none=1 tight=1.25 snug=1.375 normal=1.5 relaxed=1.625 loose=2")

func shadow(value, modifier string) (result, bool) {
	parts, found := shadows[value]
	if !found {
		inner, kind, ok := bracketed(value)
		if !ok || kind != kindShadow {
			return result{}, false
		}
		parts = shadowParts(inner)
	}
	if modifier != "" {
		return result{}, false
	}
	shape := strings.ReplaceAll(parts[0], "%c", parts[1])
	tinted := strings.ReplaceAll(parts[0], "%c", "var(--tw-shadow-color)")
	return result{before: "--tw-shadow:" + shape + ";--tw-shadow-colored:" + tinted + ";"}, true
}

// shadowParts finds the colours of a custom shadow, so that shadow-red-500 can replace them.
func shadowParts(css string) [2]string {
	var shapes []string
	used := ""
	for _, one := range splitOutside(css, ',') {
		var rest []string
		for _, word := range splitOutside(strings.TrimSpace(one), ' ') {
			if kindOf(word) == kindColor {
				used = word
				word = "%c"
			}
			rest = append(rest, word)
		}
		shapes = append(shapes, strings.Join(rest, " "))
	}
	if len(shapes) > 1 {
		return [2]string{css, ""} // there are several colours: keep the value as written
	}
	return [2]string{strings.Join(shapes, ", "), used}
}
