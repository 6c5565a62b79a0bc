package htmlpolicy

import "strings"

// Policy describes how an element may be used.
type Policy struct {
	Name string // name in the output
	Void bool   // no children and no end tag
	// Block elements end an open paragraph: parsers do not permit them inside <p>.
	Block bool
	// Closed elements isolate their content: blocks inside them do not end a paragraph around them.
	Closed bool
	// Empty elements have an end tag, but their children are dropped, because parsers would interpret them
	// differently.
	Empty bool
	// Style is set for <style>. Its text is processed by StyleText and written unescaped.
	Style bool
	// Refused is the reason why an element is dropped, or "" for elements that are allowed or unknown.
	Refused string
	// Drop is set for refused elements whose content is not for readers. For other refused elements and for unknown
	// ones, the children are shown.
	Drop bool
}

// Names of elements, in lower case unless parsers require otherwise.
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

// refusedNames maps an element to the reason for refusing it. A leading "-" means that its content is dropped too.
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

// Element returns the policy of an element. If ok is false, the element must not be written, and Refused is the reason,
// or "" for an unknown name. Letter case is ignored.
func Element(name string) (p Policy, ok bool) {
	p, known := elements[name]
	if !known {
		if p, known = elements[strings.ToLower(name)]; !known {
			return Policy{}, false
		}
	}
	return p, p.Refused == ""
}

// StyleText makes the text of a <style> element safe to write without HTML escaping: it uses a CSS escape for each "<"
// that could start a tag or a comment, in HTML or in SVG. The escape has the same meaning in CSS. Comparisons such as
// (width < 40rem) are kept.
//
// Authors may style their own pages in any way, just as they can with style attributes.
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
