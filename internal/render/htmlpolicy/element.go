package htmlpolicy

import "strings"

// Policy is what may be done with an element.
type Policy struct {
	Name string // as it is written out
	Void bool   // no children, no end tag
	// Block elements end a paragraph that is open: a parser lets none of them stand in <p>.
	Block bool
	// Closed elements keep to themselves what is inside them: blocks there do not end a paragraph around them.
	Closed bool
	// Empty elements have an end tag but lose their children: a parser would read those in a way of its own.
	Empty bool
	// Style is set for <style>: its text goes through StyleText and is written unescaped.
	Style bool
	// Refused says why an element is left out; "" for elements that are allowed or unknown.
	Refused string
	// Drop is set for refused elements whose content is not meant for readers; of others and of unknown ones, the
	// children are shown.
	Drop bool
}

// Names of elements, lower case unless a parser needs them otherwise.
const (
	htmlNames = `a abbr acronym address article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup
		data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr
		i iframe img input ins kbd label legend li main map mark menu meter nav nobr ol optgroup option output p picture pre progress q rb rp rt
		rtc ruby s samp search section select small source span strike strong style sub summary sup table tbody td textarea tfoot th thead time
		title tr track tt u ul var video wbr area`
	svgNames = `svg animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
		feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
		feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
		filter foreignObject g image line linearGradient marker mask metadata mpath path pattern polygon polyline radialGradient rect set stop
		switch symbol text textPath tspan use view`
	mathNames = `math annotation menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
		msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`
	voidNames  = "area br col hr img input source track wbr"
	blockNames = `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
		h6 header hgroup hr li main menu nav ol p pre search section summary table ul`
	closedNames = "svg math button"
)

// refusedNames maps an element to the reason; a "-" in front says that its content is dropped with it.
var refusedNames = map[string]string{
	"script":         "-pages cannot have their own script elements; write a component with export const or in a .jsx file",
	"noscript":       "-every page can be read without scripts, so it is not needed",
	"object":         "plug-ins are not supported; use <iframe>, <video> or <img>",
	"embed":          "-plug-ins are not supported; use <iframe>, <video> or <img>",
	"applet":         "plug-ins are not supported; use <iframe>",
	"param":          "-plug-ins are not supported",
	"base":           "-it would change the target of every link on the page",
	"meta":           "-use front matter and docs.json to describe a page",
	"link":           "-use utility classes, a style attribute or a <style> element",
	"frame":          "-frames are not supported; use <iframe>",
	"frameset":       "-frames are not supported; use <iframe>",
	"noframes":       "-frames are not supported",
	"noembed":        "-plug-ins are not supported",
	"template":       "its content would stay hidden",
	"plaintext":      "it would hide the rest of the page",
	"xmp":            "use a code fence",
	"listing":        "use a code fence",
	"html":           "the page already has one",
	"head":           "the page already has one",
	"body":           "the page already has one",
	"annotation-xml": "formulas cannot contain other markup",
	"maction":        "formulas cannot have actions",
	"mglyph":         "-formulas cannot contain images",
}

var elements = policies()

func policies() map[string]Policy {
	all, block, closed := map[string]Policy{}, set(blockNames), set(closedNames)
	for _, names := range []string{htmlNames, svgNames, mathNames} {
		for _, n := range strings.Fields(names) {
			p := Policy{Name: n, Empty: n == "iframe", Style: n == "style", Block: block[n], Closed: closed[n]}
			all[n], all[strings.ToLower(n)] = p, p
		}
	}
	for _, n := range strings.Fields(voidNames) {
		all[n] = Policy{Name: n, Void: true, Block: block[n]}
	}
	for n, reason := range refusedNames {
		text, drop := strings.CutPrefix(reason, "-")
		all[n] = Policy{Name: n, Refused: text, Drop: drop}
	}
	return all
}

// Element looks an element up. When ok is false it must not be written: Refused says why, or is "" for an unknown name.
// Names are as authors write them, in capitals or not.
func Element(name string) (p Policy, ok bool) {
	p, known := elements[name]
	if !known {
		if p, known = elements[strings.ToLower(name)]; !known {
			return Policy{}, false
		}
	}
	return p, p.Refused == ""
}

// StyleText makes the text of a <style> safe to write unescaped: no "<" is left that could begin a tag or a comment, be
// it in an HTML or an SVG <style>. In CSS the escape means the same character; comparisons such as (width < 40rem)
// stay.
//
// Authors may style their pages as they like: style attributes allow the same, and a site is theirs.
func StyleText(css string) string {
	var b strings.Builder
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '<' && (i+1 == len(css) || css[i+1] != ' ' && css[i+1] != '=' && (css[i+1] < '0' || css[i+1] > '9')):
			b.WriteString(`\3c `)
		case c == 0:
			b.WriteString("\uFFFD")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
