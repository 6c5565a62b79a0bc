package htmlpolicy

import (
	"net/url"
	"strings"
)

// What a frame may do. Players and editors need scripts and their own storage (allow-same-origin: that of their site,
// not of this one), links that open windows, and full screen; none of it lets a frame steer or read the page around it.
// A frame cannot navigate the page.
const sandboxWords = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-downloads allow-modals"

// Features that a frame may be handed. Those that ask for the reader's camera, microphone or place are not among them.
const featureNames = `accelerometer autoplay clipboard-write encrypted-media fullscreen gyroscope picture-in-picture web-share
	screen-wake-lock xr-spatial-tracking`

var (
	sandbox  = set(sandboxWords)
	features = set(featureNames)
)

// Extra is an attribute that an element gets from us. The value is one of ours.
type Extra struct{ Name, Value string }

// Added lists attributes to add to an element unless has reports that one of that name was written already. Frames get
// a sandbox, send their address's origin as referrer (video players refuse to play without it) and load when they come
// near.
func Added(element string, has func(name string) bool) []Extra {
	var all []Extra
	switch element {
	case "iframe":
		all = []Extra{{"sandbox", sandboxWords}, {"referrerpolicy", "strict-origin-when-cross-origin"},
			{"loading", "lazy"}}
	case "video":
		all = []Extra{{"preload", "metadata"}}
	case "form":
		all = []Extra{{"method", "dialog"}} // sends nothing anywhere
	}
	out := all[:0]
	for _, x := range all {
		if !has(x.Name) {
			out = append(out, x)
		}
	}
	return out
}

// frameAddress returns an address for a frame: https, of another site. What is written http or without a scheme is read
// as https.
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

// keepWords keeps the words of value that are on the list, in order.
func keepWords(value string, list map[string]bool, sep string) string {
	var out []string
	for _, w := range strings.Fields(strings.ToLower(value)) {
		if list[w] {
			out = append(out, w)
		}
	}
	return strings.Join(out, sep)
}

// keepFeatures reads "autoplay; fullscreen 'self'" and keeps the features on our list, for the frame's own origin.
func keepFeatures(value string) string {
	var out []string
	for _, part := range strings.Split(value, ";") {
		if name, _, _ := strings.Cut(strings.TrimSpace(part), " "); features[strings.ToLower(name)] {
			out = append(out, strings.ToLower(name))
		}
	}
	return strings.Join(out, "; ")
}
