package integration

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Field is a value of a service. Values become part of URLs and scripts, so each has a strict format.
type Field struct {
	Name     string // "" = the value is not in an object, but directly at the service's key
	Form     *lazyregexp.Regexp
	Want     string // "must be …"
	Optional bool
	Flag     bool // true or false instead of a string
}

// Service is a third-party service.
type Service struct {
	Name   string
	Fields []Field
	// Sources lists what the service's script needs in addition to the sources that every page may use.
	Sources csp.Allow
	// Hosted returns the sources that depend on the values; nil = none.
	Hosted func(values map[string]string) csp.Allow
	// Key and Host are the names of the fields that the server needs to report events itself; "" = not supported.
	Key, Host string
}

// Allow returns the sources that pages must allow for the service to work.
func (s Service) Allow(values map[string]string) csp.Allow {
	out := csp.Allow{}
	out.AddAll(s.Sources)
	if s.Hosted != nil {
		out.AddAll(s.Hosted(values))
	}
	return out
}

func id(name, form, want string) Field {
	return Field{Name: name, Form: lazyregexp.New(`^(?:` + form + `)$`), Want: want}
}

func (f Field) optional() Field {
	f.Optional = true
	return f
}

const (
	letters  = `[A-Za-z0-9]{1,128}`
	hostForm = `[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,9}(?::[0-9]{1,5})?`
	wantID   = "letters and digits"
)

func scripts(origins ...string) csp.Allow { return csp.Allow{"script": origins} }

// Find returns the service with the given name.
func Find(name string) (Service, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Service{}, false
}

// Names returns the names of all services.
func Names() (out []string) {
	for _, s := range All() {
		out = append(out, s.Name)
	}
	return out
}

// All returns every service, sorted by name. The services are shared, so callers must not change them.
func All() []Service { return slices.Clone(services()) }

// services compiles the regular expressions in the table only once. That takes longer than reading a site file.
var services = sync.OnceValue(table)

func table() []Service {
	return []Service{
		{Name: "adobe", Sources: scripts("https://assets.adobedtm.com"), Fields: []Field{
			id("launchUrl", `https://assets\.adobedtm\.com/[A-Za-z0-9._/-]{1,200}\.js`,
				"an address of a script at https://assets.adobedtm.com")}},
		{Name: "amplitude", Key: "apiKey", Sources: scripts("https://cdn.amplitude.com"),
			Fields: []Field{id("apiKey", letters, wantID)}},
		{Name: "clarity", Sources: scripts("https://www.clarity.ms", "https://*.clarity.ms"),
			Fields: []Field{id("projectId", letters, wantID)}},
		{Name: "clearbit", Sources: scripts("https://tag.clearbitscripts.com", "https://x.clearbitjs.com"),
			Fields: []Field{id("publicApiKey", `pk_`+letters, `a key that starts with "pk_"`)}},
		{Name: "fathom", Sources: scripts("https://cdn.usefathom.com"),
			Fields: []Field{id("siteId", letters, wantID)}},
		{Name: "frontchat", Sources: csp.Allow{"script": {"https://chat-assets.frontapp.com"},
			"style": {"'unsafe-inline'"}, "connect": {"wss://*.frontapp.com"}},
			Fields: []Field{id("", letters, wantID)}},
		{Name: "ga4", Key: "measurementId", Sources: scripts("https://www.googletagmanager.com"),
			Fields: []Field{id("measurementId", `G-[A-Za-z0-9]{1,20}`, `a measurement ID such as "G-XXXXXXXXXX"`)}},
		{Name: "gtm", Sources: scripts("https://www.googletagmanager.com"),
			Fields: []Field{id("tagId", `GTM-[A-Za-z0-9]{1,20}`, `a container ID such as "GTM-XXXXXXX"`)}},
		{Name: "heap", Key: "appId", Sources: scripts("https://cdn.heapanalytics.com", "https://heapanalytics.com"),
			Fields: []Field{id("appId", `[0-9]{1,20}`, "digits")}},
		{Name: "hightouch", Sources: scripts("https://cdn.hightouch-events.com"), Fields: []Field{
			id("writeKey", letters, wantID), id("apiHost", hostForm, "a host name").optional()}},
		{Name: "hotjar", Sources: csp.Allow{"script": {"https://*.hotjar.com"}, "style": {"'unsafe-inline'"},
			"font": {"https://*.hotjar.com"}, "connect": {"wss://*.hotjar.com"}},
			Fields: []Field{id("hjid", `[0-9]{1,20}`, "digits"), id("hjsv", `[0-9]{1,4}`, "digits")}},
		{Name: "intercom", Sources: csp.Allow{"style": {"'unsafe-inline'"}, "worker": {"blob:"},
			"script":  {"https://app.intercom.io", "https://widget.intercom.io", "https://js.intercomcdn.com"},
			"font":    {"https://fonts.intercomcdn.com", "https://js.intercomcdn.com"},
			"connect": {"wss://*.intercom.io", "wss://*.intercom-messenger.com"}},
			Fields: []Field{id("appId", letters, wantID)}},
		{Name: "koala", Sources: scripts("https://cdn.getkoala.com"),
			Fields: []Field{id("publicApiKey", `pk_`+letters, `a key that starts with "pk_"`)}},
		{Name: "logrocket", Sources: csp.Allow{"script": {"https://cdn.logrocket.io", "https://cdn.lr-ingest.io"},
			"worker": {"blob:"}},
			Fields: []Field{id("apiKey", `[A-Za-z0-9_-]{1,100}/[A-Za-z0-9_-]{1,100}`, `an app ID such as "team/docs"`)}},
		{Name: "mixpanel", Key: "projectToken", Sources: scripts("https://cdn.mxpnl.com"), Fields: []Field{
			id("projectToken", letters, wantID), id("region", "us|eu|in", `"us", "eu" or "in"`).optional()}},
		{Name: "pirsch", Sources: scripts("https://api.pirsch.io"), Fields: []Field{id("id", letters, wantID)}},
		{Name: "plausible", Key: "domain", Host: "server", Hosted: plausible, Fields: []Field{
			id("domain", `[A-Za-z0-9.,_-]{1,300}`, "a host name, or several with commas"),
			id("server", `(?:https://)?`+hostForm+`/?`, "a host name").optional()}},
		{Name: "posthog", Key: "apiKey", Host: "apiHost", Hosted: posthog, Fields: []Field{
			id("apiKey", `phc_[A-Za-z0-9_-]{1,100}`, `a project API key, which starts with "phc_"`),
			id("apiHost", `(?:https://)?`+hostForm+`(?:/[A-Za-z0-9_-]{1,60}){0,5}/?`, "an https address").optional(),
			{Name: "sessionRecording", Optional: true, Flag: true}}},
		{Name: "segment", Key: "key", Sources: scripts("https://cdn.segment.com"),
			Fields: []Field{id("key", letters, wantID)}},
	}
}

// origin returns the origin of a host that an author wrote with or without a scheme. If text is "", it returns other.
func origin(text, other string) string {
	if text == "" {
		return other
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return other
	}
	return "https://" + u.Host
}

func plausible(values map[string]string) csp.Allow {
	return scripts(origin(values["server"], "https://plausible.io"))
}

// posthog returns the sources of PostHog. The host of its scripts depends on the host of its API: for us.i.posthog.com
// it is us-assets.i.posthog.com, and for a proxy it is the proxy itself.
func posthog(values map[string]string) csp.Allow {
	at := origin(values["apiHost"], "https://us.i.posthog.com")
	out := scripts(strings.Replace(at, ".i.posthog.com", "-assets.i.posthog.com", 1))
	if values["sessionRecording"] == "true" {
		out["worker"] = []string{"blob:"}
	}
	return out
}
