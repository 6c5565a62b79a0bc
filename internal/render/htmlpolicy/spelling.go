package htmlpolicy

import "strings"

// Attribute names that differ from the lower-case form of React's names.
const (
	// keptNames contain capital letters in SVG too.
	keptNames = `attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
		gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight
		markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX
		pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions
		requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage
		tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan`
	// dashedNames contain dashes; React uses camel case for them.
	dashedNames = `accent-height alignment-baseline arabic-form baseline-shift cap-height clip-path clip-rule color-interpolation
		color-interpolation-filters color-profile color-rendering dominant-baseline enable-background fill-opacity fill-rule flood-color
		flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight glyph-name
		glyph-orientation-horizontal glyph-orientation-vertical horiz-adv-x horiz-origin-x image-rendering letter-spacing lighting-color
		marker-end marker-mid marker-start mask-type overline-position overline-thickness paint-order panose-1 pointer-events rendering-intent
		shape-rendering stop-color stop-opacity strikethrough-position strikethrough-thickness stroke-dasharray stroke-dashoffset
		stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering
		transform-origin underline-position underline-thickness unicode-bidi unicode-range units-per-em v-alphabetic v-hanging
		v-ideographic v-mathematical vector-effect vert-adv-y vert-origin-x vert-origin-y word-spacing writing-mode x-height accept-charset`
	// flagNames are attributes whose presence matters rather than their value.
	flagNames = `allowfullscreen async autoplay checked controls default defer disabled disablepictureinpicture disableremoteplayback
		hidden inert ismap itemscope loop multiple muted nomodule novalidate open playsinline readonly required reversed selected`
)

var (
	spellings = spell()
	flags     = set(flagNames)
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

func spell() map[string]string {
	m := map[string]string{
		"classname": "class", "htmlfor": "for", "httpequiv": "http-equiv", "defaultvalue": "value",
		"defaultchecked": "checked",
		"xlinkhref":      "href", "xlink:href": "href", "xlinktitle": "title", "xmllang": "lang", "xml:lang": "lang",
		"xmlspace":   "xml:space",
		"xmlnsxlink": "xmlns:xlink", "xmlbase": "xml:base",
	}
	for _, n := range strings.Fields(keptNames) {
		m[strings.ToLower(n)] = n
	}
	for _, n := range strings.Fields(dashedNames) {
		m[strings.ToLower(camel(n))] = n
	}
	return m
}

// camel converts "stroke-width" to "strokeWidth".
func camel(dashed string) string {
	parts := strings.Split(dashed, "-")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// spelt returns the name of an attribute in the output. Browsers ignore letter case in attribute names, so
// "aTTributeName" must be written in the form that browsers use.
func spelt(name string) string {
	lower := strings.ToLower(name)
	if s, ok := spellings[lower]; ok {
		return s
	}
	return lower
}

// validName reports whether a name is valid in a tag: a letter, followed by letters, digits, "_", ":", "." or "-".
func validName(name string) bool {
	if len(name) > 100 {
		return false
	}
	for i, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '_' || c == ':' || c == '.' || c == '-')) {
			return false
		}
	}
	return name != ""
}
