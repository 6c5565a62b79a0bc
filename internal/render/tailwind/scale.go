package tailwind

import (
	"strconv"
	"strings"
)

// result is the meaning of a value.
type result struct {
	value  string
	before string // a declaration to write first
	clear  string // the same colour, fully transparent
}

func plain(value string) result { return result{value: value} }

// pairs is a scale in list form: key=value; "_" stands for a space.
type pairs map[string]string

func list(table string) pairs {
	m := pairs{}
	for _, f := range strings.Fields(table) {
		key, value, has := strings.Cut(f, "=")
		if !has {
			value = key
		}
		m[key] = spaced(value)
	}
	return m
}

// numbered creates entries from a range of numbers and a pattern: numbered(1, 3, "span # / span #").
func numbered(first, last int, pattern string) pairs {
	m := pairs{}
	for i := first; i <= last; i++ {
		n := strconv.Itoa(i)
		m[n] = strings.ReplaceAll(pattern, "#", n)
	}
	return m
}

func union(all ...pairs) pairs {
	m := pairs{}
	for _, p := range all {
		for k, v := range p {
			m[k] = v
		}
	}
	return m
}

// scaled creates entries from numbers multiplied by a factor: scaled("50 75", 0.01, "") contains 50=0.5.
func scaled(words string, factor float64, unit string) pairs {
	m := pairs{}
	for _, w := range strings.Fields(words) {
		n, _ := strconv.ParseFloat(w, 64)
		m[w] = number(n*factor) + unit
	}
	return m
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

func fractions(denominators ...int) pairs {
	m := pairs{"full": "100%"}
	for _, d := range denominators {
		for n := 1; n < d; n++ {
			m[strconv.Itoa(n)+"/"+strconv.Itoa(d)] = strconv.FormatFloat(float64(n)*100/float64(d), 'f', 6, 64) + "%"
		}
	}
	for k, v := range m {
		if whole, _, _ := strings.Cut(v, ".000000"); strings.HasSuffix(v, ".000000%") {
			m[k] = whole + "%"
		}
	}
	return m
}

var lists = makeLists()

func makeLists() map[string]pairs {
	spacing := scaled("0.5 1 1.5 2 2.5 3 3.5 4 5 6 7 8 9 10 11 12 14 16 20 24 28 32 36 40 44 48 52 56 60 64 72 80 96",
		0.25, "rem")
	spacing["0"], spacing["px"] = "0px", "1px"
	auto := pairs{"auto": "auto"}
	fit := list("min=min-content max=max-content fit=fit-content")
	vh := list("screen=100vh svh=100svh lvh=100lvh dvh=100dvh")
	screens := list("screen-sm=640px screen-md=768px screen-lg=1024px screen-xl=1280px screen-2xl=1536px")
	ladder := list(
		"xs=20rem sm=24rem md=28rem lg=32rem xl=36rem 2xl=42rem 3xl=48rem 4xl=56rem 5xl=64rem 6xl=72rem 7xl=80rem prose=65ch none")
	return map[string]pairs{
		"spacing": spacing, "fit": fit, "vh": vh,
		"vw":         list("screen=100vw svw=100svw lvw=100lvw dvw=100dvw"),
		"margin":     union(spacing, auto),
		"inset":      union(spacing, auto, fractions(2, 3, 4)),
		"move":       union(spacing, fractions(2, 3, 4)),
		"width":      union(spacing, auto, fit, fractions(2, 3, 4, 5, 6, 12)),
		"height":     union(spacing, auto, fit, vh, fractions(2, 3, 4, 5, 6)),
		"prosewidth": union(ladder, screens),
		"1to12":      numbered(1, 12, "#"), "1to13": numbered(1, 13, "#"),
		"span12":   union(numbered(1, 12, "span # / span #")),
		"repeat12": numbered(1, 12, "repeat(#, minmax(0, 1fr))"),
		"degrees":  scaled("0 1 2 3 6 12 45 90 180", 1, "deg"),
		"hue":      scaled("0 15 30 60 90 180", 1, "deg"),
		"scale":    scaled("0 50 75 90 95 100 105 110 125 150", 0.01, ""),
		"factor":   scaled("0 50 75 90 95 100 105 110 125 150 200", 0.01, ""),
		"opacity":  scaled("0 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75 80 85 90 95 100", 0.01, ""),
		"percent":  list("0% 5% 10% 15% 20% 25% 30% 35% 40% 45% 50% 55% 60% 65% 70% 75% 80% 85% 90% 95% 100%"),
		"millis":   scaled("0 75 100 150 200 300 500 700 1000", 1, "ms"),
		"edge":     list(".=1px 0=0px 2=2px 4=4px 8=8px"),
		"radius": list(
			".=0.25rem none=0px sm=0.125rem md=0.375rem lg=0.5rem xl=0.75rem 2xl=1rem 3xl=1.5rem full=9999px"),
		"blur": list(".=8px 0=0 none=0 sm=4px md=12px lg=16px xl=24px 2xl=40px 3xl=64px"),
		"side": list("t=top tr=top_right r=right br=bottom_right b=bottom bl=bottom_left l=left tl=top_left"),
		"place": list(
			"bottom center left left-bottom=left_bottom left-top=left_top right right-bottom=right_bottom right-top=right_top top"),
		"dropshadow": dropShadows(),
		"transition": transitions(),
	}
}

func transitions() pairs {
	colors := "color, background-color, border-color, text-decoration-color, fill, stroke"
	return pairs{
		"all": "all", "colors": colors, "opacity": "opacity", "shadow": "box-shadow", "transform": "transform",
		".": colors + ", opacity, box-shadow, transform, filter, -webkit-backdrop-filter, backdrop-filter",
	}
}

func dropShadows() pairs {
	return pairs{
		"sm":  "drop-shadow(0 1px 1px rgb(0 0 0 / 0.05))",
		".":   "drop-shadow(0 1px 2px rgb(0 0 0 / 0.1)) drop-shadow(0 1px 1px rgb(0 0 0 / 0.06))",
		"md":  "drop-shadow(0 4px 3px rgb(0 0 0 / 0.07)) drop-shadow(0 2px 2px rgb(0 0 0 / 0.06))",
		"lg":  "drop-shadow(0 10px 8px rgb(0 0 0 / 0.04)) drop-shadow(0 4px 3px rgb(0 0 0 / 0.1))",
		"xl":  "drop-shadow(0 20px 13px rgb(0 0 0 / 0.03)) drop-shadow(0 8px 5px rgb(0 0 0 / 0.08))",
		"2xl": "drop-shadow(0 25px 25px rgb(0 0 0 / 0.15))", "none": "drop-shadow(0 0 #0000)",
	}
}

// shadows lists the box shadows by size. %c stands for the colour.
var shadows = map[string][2]string{ // the shadow and its default colour
	"sm":    {"0 1px 2px 0 %c", "rgb(0 0 0 / 0.05)"},
	".":     {"0 1px 3px 0 %c, 0 1px 2px -1px %c", "rgb(0 0 0 / 0.1)"},
	"md":    {"0 4px 6px -1px %c, 0 2px 4px -2px %c", "rgb(0 0 0 / 0.1)"},
	"lg":    {"0 10px 15px -3px %c, 0 4px 6px -4px %c", "rgb(0 0 0 / 0.1)"},
	"xl":    {"0 20px 25px -5px %c, 0 8px 10px -6px %c", "rgb(0 0 0 / 0.1)"},
	"2xl":   {"0 25px 50px -12px %c", "rgb(0 0 0 / 0.25)"},
	"inner": {"inset 0 2px 4px 0 %c", "rgb(0 0 0 / 0.05)"},
	"none":  {"0 0 #0000", ""},
}

// textSizes lists the text sizes with their line heights.
var textSizes = map[string][2]string{
	"xs": {"0.75rem", "1rem"}, "sm": {"0.875rem", "1.25rem"}, "base": {"1rem", "1.5rem"}, "lg": {"1.125rem", "1.75rem"},
	"xl": {"1.25rem", "1.75rem"}, "2xl": {"1.5rem", "2rem"}, "3xl": {"1.875rem", "2.25rem"},
	"4xl": {"2.25rem", "2.5rem"},
	"5xl": {"3rem", "1"}, "6xl": {"3.75rem", "1"}, "7xl": {"4.5rem", "1"}, "8xl": {"6rem", "1"}, "9xl": {"8rem", "1"},
}
