package tailwind

import (
	"strconv"
	"strings"
)

// variant is a prefix of a class, such as hover: or md:. In selectors, "&" stands for the class. A variant that has
// several alternatives produces several rules.
type variant struct {
	rank int // order in the cascade
	alts []alt
}

type alt struct {
	wrap     string // an at-rule around it; "" = none
	selector string // "" = unchanged
	content  bool   // needs a content property
}

// Ranks by kind of variant. The gaps between them are for the variants of each kind.
const (
	rankChild = (iota + 1) * 1000
	rankElement
	rankState
	rankHas
	rankAttribute
	rankArbitrary
	rankSupports
	rankMotion
	rankContrast
	rankMax
	rankScreen
	rankOrientation
	rankDirection
	rankDark
	rankForced
	rankPrint
)

const stateTable = `first=:first-child last=:last-child only=:only-child odd=:nth-child(odd) even=:nth-child(even) first-of-type=:first-of-type
	last-of-type=:last-of-type only-of-type=:only-of-type visited=:visited target=:target open=[open] default=:default checked=:checked
	indeterminate=:indeterminate placeholder-shown=:placeholder-shown autofill=:autofill optional=:optional required=:required valid=:valid
	invalid=:invalid in-range=:in-range out-of-range=:out-of-range read-only=:read-only empty=:empty focus-within=:focus-within hover=:hover
	focus=:focus focus-visible=:focus-visible active=:active enabled=:enabled disabled=:disabled`

const elementTable = `first-letter=::first-letter first-line=::first-line marker=::marker selection=::selection file=::file-selector-button
	placeholder=::placeholder backdrop=::backdrop before=::before after=::after`

const mediaTable = `motion-safe=(prefers-reduced-motion:_no-preference) motion-reduce=(prefers-reduced-motion:_reduce)
	contrast-more=(prefers-contrast:_more) contrast-less=(prefers-contrast:_less) portrait=(orientation:_portrait)
	landscape=(orientation:_landscape) forced-colors=(forced-colors:_active) print=print`

const proseTable = `headings=h1,h2,h3,h4,h5,h6,th lead=[class~="lead"] h1=h1 h2=h2 h3=h3 h4=h4 h5=h5 h6=h6 p=p a=a blockquote=blockquote figure=figure
	figcaption=figcaption strong=strong em=em kbd=kbd code=code pre=pre ol=ol ul=ul li=li table=table thead=thead tr=tr th=th td=td img=img
	video=video hr=hr`

var (
	screens = map[string]int{"sm": 640, "md": 768, "lg": 1024, "xl": 1280, "2xl": 1536} // px
	states  = ordered(stateTable)
	pseudos = ordered(elementTable)
	medias  = list(mediaTable)
	mediaOf = map[string]int{"motion-safe": rankMotion, "motion-reduce": rankMotion + 1, "contrast-more": rankContrast,
		"contrast-less": rankContrast + 1, "portrait": rankOrientation, "landscape": rankOrientation + 1,
		"forced-colors": rankForced, "print": rankPrint}
	prose    = list(proseTable)
	ariaTrue = words("busy checked disabled expanded hidden pressed readonly required selected")
)

type ranked struct {
	value string
	rank  int
}

func ordered(table string) map[string]ranked {
	m := map[string]ranked{}
	for i, f := range strings.Fields(table) {
		key, value, _ := strings.Cut(f, "=")
		m[key] = ranked{value, i}
	}
	return m
}

// darkAlts applies dark colours under the same conditions as the theme's tokens: if the reader or the script chose
// them, or, without a script, if the system prefers them.
var darkAlts = []alt{
	{selector: `:where(:root[data-scheme="dark"]) &`},
	{wrap: "@media (prefers-color-scheme: dark)", selector: `:where(:root:not([data-scheme="light"])) &`},
}

// findVariant parses one prefix.
func findVariant(name string) (variant, bool) {
	switch name {
	case "dark":
		return variant{rankDark, darkAlts}, true
	case "*":
		return one(rankChild, "", ":is(& > *)"), true
	case "rtl", "ltr":
		rank := rankDirection
		if name == "rtl" {
			rank++
		}
		return one(rank, "", `&:where([dir="`+name+`"], [dir="`+name+`"] *)`), true
	}
	if p, ok := pseudos[name]; ok {
		alts := []alt{{selector: "&" + p.value, content: name == "before" || name == "after"}}
		if name == "marker" || name == "selection" {
			alts = append(alts, alt{selector: "& *" + p.value})
		}
		return variant{rankElement + p.rank, alts}, true
	}
	if s, ok := states[name]; ok {
		return one(rankState+s.rank, "", "&"+s.value), true
	}
	if m, ok := medias[name]; ok {
		return one(mediaOf[name], "@media "+m, ""), true
	}
	if v, ok := screenVariant(name); ok {
		return v, true
	}
	return otherVariant(name)
}

func one(rank int, wrap, selector string) variant {
	return variant{rank, []alt{{wrap: wrap, selector: selector}}}
}

// screenVariant parses variants such as md, max-md, min-[700px] and max-[700px].
func screenVariant(name string) (variant, bool) {
	if px, ok := screens[name]; ok {
		return one(rankScreen+px/10, "@media (min-width: "+strconv.Itoa(px)+"px)", ""), true
	}
	if px, ok := screens[strings.TrimPrefix(name, "max-")]; ok {
		return one(rankMax+500-px/10, "@media not all and (min-width: "+strconv.Itoa(px)+"px)", ""), true
	}
	side, value, ok := strings.Cut(name, "-")
	if !ok || side != "min" && side != "max" {
		return variant{}, false
	}
	inner, kind, ok := bracketed(value)
	if !ok || kind != kindLength {
		return variant{}, false
	}
	px := pixels(inner)
	if side == "max" {
		return one(rankMax+500-px/10, "@media not all and (min-width: "+inner+")", ""), true
	}
	return one(rankScreen+px/10, "@media (min-width: "+inner+")", ""), true
}

// pixels converts a length to a number of at most 5000, which determines the order of variants.
func pixels(length string) int {
	end := strings.IndexFunc(length, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		return 0
	}
	f, _ := strconv.ParseFloat(length[:end], 64)
	if strings.HasSuffix(length, "em") {
		f *= 16
	}
	return int(min(f, 5000))
}
