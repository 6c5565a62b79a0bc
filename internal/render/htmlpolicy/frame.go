package htmlpolicy

import (
	"net/url"
	"strings"
)

// sandboxWords are the permissions of a frame. Players and editors need scripts, their own storage (allow-same-origin
// refers to the origin of their site, not of this one), links that open windows, and full screen. None of these lets a
// frame control or read the page around it. A frame cannot navigate the page.
const sandboxWords = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-downloads allow-modals"

// featureNames lists the features that a frame may use. The list does not contain the reader's camera, microphone and
// location.
const featureNames = `accelerometer autoplay clipboard-write encrypted-media fullscreen gyroscope picture-in-picture web-share
	screen-wake-lock xr-spatial-tracking`

var (
	sandbox  = set(sandboxWords)
	features = set(featureNames)
)

// Extra is an attribute that the platform adds to an element. Its value is a constant.
type Extra struct{ Name, Value string }

// Added lists the attributes to add to an element. It omits attributes for which has returns true, because they have
// already been written. Frames get a sandbox, send the page's origin as referrer (video players require it), and load
// when they get close to the viewport.
func Added(element string, has func(name string) bool) []Extra {
	var all []Extra
	switch element {
	case "iframe":
		all = []Extra{{"sandbox", sandboxWords}, {"referrerpolicy", "strict-origin-when-cross-origin"},
			{"loading", "lazy"}}
	case "video":
		all = []Extra{{"preload", "metadata"}}
	case "form":
		all = []Extra{{"method", "dialog"}} // does not send data
	}
	out := all[:0]
	for _, x := range all {
		if !has(x.Name) {
			out = append(out, x)
		}
	}
	return out
}

// frameAddress returns the URL for a frame, which must be an https URL on another site. It changes a URL with http or
// without a scheme to https.
func frameAddress(value string) (string, bool) {
	value = strings.TrimSpace(value)
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) ||
		len(value) > 8<<10 {
		return "", false
	}
	if strings.HasPrefix(value, "//") {
		value = "https:" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		u.Scheme = "https"
		return u.String(), true
	}
	return "", false
}

// keepWords returns the words in value that list contains, in order.
func keepWords(value string, list map[string]bool, sep string) string {
	var out []string
	for _, w := range strings.Fields(strings.ToLower(value)) {
		if list[w] {
			out = append(out, w)
		}
	}
	return strings.Join(out, sep)
}

// keepFeatures parses a value such as "autoplay; fullscreen 'self'" and returns the permitted features, for the
// frame's own origin.
func keepFeatures(value string) string {
	var out []string
	for _, part := range strings.Split(value, ";") {
		if name, _, _ := strings.Cut(strings.TrimSpace(part), " "); features[strings.ToLower(name)] {
			out = append(out, strings.ToLower(name))
		}
	}
	return strings.Join(out, "; ")
}
