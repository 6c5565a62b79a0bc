package eventforward

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
)

// message is one request to a tool.
type message struct {
	url  string
	body any
	user string // for basic authentication; "" = none
}

func (m message) request(ctx context.Context) (*http.Request, error) {
	raw, err := json.Marshal(m.body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Lectern")
	if m.user != "" {
		r.SetBasicAuth(m.user, "")
	}
	return r, nil
}

type fields = map[string]any

// name returns the name under which tools receive an event, or "" if it is not forwarded.
func name(e audience.Event) string {
	switch e.Kind {
	case audience.View:
		return "page_view"
	case audience.Search:
		return "search"
	case audience.Click:
		return "search_click"
	case audience.Try:
		return "api_request"
	case audience.Ask:
		return "assistant_question"
	case audience.Copy:
		return "code_copy"
	}
	return ""
}

// visitor returns an id for a reader, valid for one day; readers that cannot be distinguished share one id.
func visitor(e audience.Event) string { return "visitor-" + hex.EncodeToString(e.Visitor[:]) }

// details returns an event's fields other than its name. Search terms are not sent, because readers may type
// anything.
func details(s Site, e audience.Event) fields {
	out := fields{"path": e.Path, "url": s.Origin + e.Path, "class": string(e.Class)}
	for k, v := range map[string]string{"referrer": e.Referrer, "target": e.Target} {
		if v != "" {
			out[k] = v
		}
	}
	if e.Kind == audience.Search {
		out["results"] = e.Hits
	}
	if e.Kind == audience.Try {
		out["status"] = e.Status
	}
	return out
}

// Tools returns the names of the tools that receive events. Google Analytics needs a secret from the operator.
func Tools(ga4 bool) []string {
	out := []string{"amplitude", "heap", "mixpanel", "plausible", "posthog", "segment"}
	if ga4 {
		out = append(out, "ga4")
	}
	return out
}

// requests returns the requests that report events to a tool; none if the tool has no server-side API.
func (f *Forwarder) requests(s Site, tool deploy.Integration, events []audience.Event) ([]message, error) {
	host := func(own string) string {
		if h := f.Hosts[tool.Tool]; h != "" {
			return h
		}
		return own
	}
	chosen := ""
	if tool.Host != "" {
		if chosen = origin(tool.Host); chosen == "" && host("") == "" {
			return nil, fmt.Errorf("%w: its address must consist of https:// and a host", errRefused)
		}
	}
	switch tool.Tool {
	case "plausible":
		return plausible(host(cmp.Or(chosen, "https://plausible.io")), s, tool.Key, events), nil
	case "posthog":
		return posthog(host(cmp.Or(chosen, "https://us.i.posthog.com")), s, tool.Key, events), nil
	case "mixpanel":
		return mixpanel(host("https://api.mixpanel.com"), s, tool.Key, events), nil
	case "segment":
		return segment(host("https://api.segment.io"), s, tool.Key, events), nil
	case "amplitude":
		return amplitude(host("https://api2.amplitude.com"), s, tool.Key, events), nil
	case "heap":
		return heap(host("https://heapanalytics.com"), s, tool.Key, events), nil
	case "ga4":
		if f.GA4Secret != "" {
			return ga4(host("https://www.google-analytics.com"), s, tool.Key, f.GA4Secret, events), nil
		}
	}
	return nil, nil
}

// origin returns the URL of a host that an author chose for a tool: https, a host and optionally a port; "" for
// anything else.
func origin(s string) string {
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(strings.TrimSuffix(s, "/"))
	if err != nil || u.Hostname() == "" || u.String() != "https://"+u.Host {
		return ""
	}
	return u.String()
}

// plausible returns one request per event, as Plausible requires.
func plausible(host string, s Site, domain string, events []audience.Event) (out []message) {
	for _, e := range events {
		called := name(e)
		if e.Kind == audience.View {
			called = "pageview"
		}
		body := fields{"name": called, "url": s.Origin + e.Path, "domain": domain,
			"props": fields{"class": string(e.Class)}}
		if e.Referrer != "" {
			body["referrer"] = "https://" + e.Referrer
		}
		out = append(out, message{url: host + "/api/event", body: body})
	}
	return out
}

func posthog(host string, s Site, key string, events []audience.Event) []message {
	var batch []fields
	for _, e := range events {
		called, p := name(e), details(s, e)
		if e.Kind == audience.View {
			called = "$pageview"
		}
		p["distinct_id"], p["$current_url"], p["$pathname"], p["$process_person_profile"],
			p["$geoip_disable"] = visitor(e), s.Origin+e.Path, e.Path, false, true
		if e.Referrer != "" {
			p["$referring_domain"] = e.Referrer
		}
		batch = append(batch, fields{"event": called, "properties": p, "timestamp": stamp(e.At)})
	}
	return []message{{url: host + "/batch/", body: fields{"api_key": key, "batch": batch}}}
}

func mixpanel(host string, s Site, token string, events []audience.Event) []message {
	var batch []fields
	for _, e := range events {
		p := details(s, e)
		p["token"], p["time"], p["distinct_id"] = token, e.At.Unix(), visitor(e)
		batch = append(batch, fields{"event": name(e), "properties": p})
	}
	return []message{{url: host + "/track?ip=0", body: batch}}
}

func segment(host string, s Site, key string, events []audience.Event) []message {
	var batch []fields
	for _, e := range events {
		one := fields{"anonymousId": visitor(e), "timestamp": stamp(e.At), "properties": details(s, e),
			"context": fields{"ip": "0.0.0.0"}}
		if e.Kind == audience.View {
			one["type"], one["name"] = "page", e.Path
		} else {
			one["type"], one["event"] = "track", name(e)
		}
		batch = append(batch, one)
	}
	return []message{{url: host + "/v1/batch", body: fields{"batch": batch}, user: key}}
}

func amplitude(host string, s Site, key string, events []audience.Event) []message {
	var batch []fields
	for _, e := range events {
		batch = append(batch, fields{"device_id": visitor(e), "event_type": name(e), "time": e.At.UnixMilli(),
			"event_properties": details(s, e)})
	}
	return []message{{url: host + "/2/httpapi", body: fields{"api_key": key, "events": batch}}}
}

func heap(host string, s Site, appID string, events []audience.Event) []message {
	var batch []fields
	for _, e := range events {
		batch = append(batch, fields{"identity": visitor(e), "event": name(e), "timestamp": stamp(e.At),
			"properties": details(s, e)})
	}
	return []message{{url: host + "/api/track", body: fields{"app_id": appID, "events": batch}}}
}

// ga4Events is the maximum number of events in one request; all must belong to one visitor.
const ga4Events = 25

func ga4(host string, s Site, id, secret string, events []audience.Event) (out []message) {
	byVisitor := map[string][]fields{}
	var order []string
	for _, e := range events {
		p := details(s, e)
		p["page_location"], p["engagement_time_msec"] = s.Origin+e.Path, 1
		if e.Referrer != "" {
			p["page_referrer"] = "https://" + e.Referrer
		}
		v := visitor(e)
		if byVisitor[v] == nil {
			order = append(order, v)
		}
		byVisitor[v] = append(byVisitor[v], fields{"name": name(e), "params": p})
	}
	to := host + "/mp/collect?" + url.Values{"measurement_id": {id}, "api_secret": {secret}}.Encode()
	for _, v := range order {
		for list := byVisitor[v]; len(list) > 0; list = list[min(len(list), ga4Events):] {
			out = append(out, message{url: to,
				body: fields{"client_id": v, "non_personalized_ads": true, "events": list[:min(len(list), ga4Events)]}})
		}
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
