package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	envBundleSource = envPrefix + "BUNDLE_SOURCE"
	envBundleProxy  = envPrefix + "BUNDLE_PROXY"
	envBundleHosts  = envPrefix + "PLAYGROUND_HOSTS"
)

// Bundle contains the environment variables of serve-bundle. Unset ones are zero.
type Bundle struct {
	Source                             string // a presigned link is a secret
	Proxy                              string // may contain a password
	AccessKey, SecretKey, SessionToken string
	LogFormat, LogLevel                string
	MetricsListen                      string // "" for both "off" and unset
	DeploymentType                     string
	SearchLocal, AssistantLocal        bool // requested by the operator of an air-gapped server; they run locally
	External                           bool // apply the bundle's list of sources that its pages may use on other hosts
	PlaygroundProxy                    bool // true only for "on": otherwise a bundle's server serves only files
	PlaygroundOrigins, TrustedProxies  []string
	// host names under which readers may use the proxy, in addition to IP addresses and localhost
	PlaygroundHosts              []string
	ShutdownDelay, ShutdownGrace *time.Duration
}

// Bundle returns the variables of serve-bundle. Variables shared with serve have the same names.
func (e Env) Bundle() (b Bundle, err error) {
	b.Source, b.Proxy, b.LogFormat, b.LogLevel = e[envBundleSource], e[envBundleProxy], e[EnvName("log.format")],
		e[EnvName("log.level")]
	b.MetricsListen, b.SearchLocal = e[EnvName("metrics.listen")], e[EnvName("features.search")] == "local"
	b.AssistantLocal = e[EnvName("features.assistant")] == "local"
	if b.MetricsListen == "off" {
		b.MetricsListen = ""
	}
	if b.DeploymentType = e[EnvName("deployment.type")]; b.DeploymentType == "" {
		b.DeploymentType = Defaults().DeploymentType
	}
	if types := []string{"cloud", "client-hosted", "air-gapped"}; !slices.Contains(types, b.DeploymentType) {
		return b, find("deployment.type").bad("must be cloud, client-hosted or air-gapped.")
	}
	setting := e[EnvName("pages.external")]
	if !slices.Contains([]string{"", "auto", "on", "off"}, setting) {
		return b, find("pages.external").bad("must be auto, on or off.")
	}
	b.External = external(setting, b.DeploymentType)
	if err := b.playground(e); err != nil {
		return b, err
	}
	for _, d := range []struct {
		key string
		to  **time.Duration
	}{{"shutdown-delay", &b.ShutdownDelay}, {"shutdown-grace", &b.ShutdownGrace}} {
		text := e[EnvName(d.key)]
		if text == "" {
			continue
		}
		value, err := time.ParseDuration(text)
		if err != nil {
			return b, wrapBad(find(d.key), err, "must be a duration, such as 20s.")
		}
		*d.to = &value
	}
	for _, s := range []struct {
		key string
		to  *string
	}{{"s3.access-key", &b.AccessKey}, {"s3.secret-key", &b.SecretKey}, {"s3.session-token", &b.SessionToken}} {
		if *s.to, err = readSecret(e, s.key, e[EnvName(s.key+"-file")]); err != nil {
			return b, err
		}
	}
	return b, nil
}

// playground parses the variables of the playground's proxy.
func (b *Bundle) playground(e Env) error {
	switch v := e[EnvName("playground.proxy")]; v {
	case "on":
		b.PlaygroundProxy = true
	case "", "off":
	default:
		return find("playground.proxy").bad("must be on or off.")
	}
	for _, list := range []struct {
		key string
		to  *[]string
	}{{"playground.origins", &b.PlaygroundOrigins}, {"trusted-proxies", &b.TrustedProxies}} {
		if text := e[EnvName(list.key)]; text != "" {
			*list.to = strings.Split(text, ",")
		}
	}
	if _, err := b.Proxies(); err != nil {
		return find("trusted-proxies").bad("%v.", err)
	}
	if text := e[envBundleHosts]; text != "" {
		b.PlaygroundHosts = strings.Split(text, ",")
	}
	if err := CheckHosts(b.PlaygroundHosts); err != nil {
		return err
	}
	return CheckOrigins("playground.origins", b.PlaygroundOrigins)
}

// Proxies returns the networks of trusted reverse proxies.
func (b *Bundle) Proxies() ([]netip.Prefix, error) {
	return (&Server{TrustedProxies: b.TrustedProxies}).Proxies()
}

// CheckOrigins validates origins in a setting.
func CheckOrigins(key string, origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if _, ok := capability.Origin(o); !ok || err != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" ||
			u.Fragment != "" || u.Port() == "" && strings.HasSuffix(u.Host, ":") {
			return find(key).bad("%q must be an origin such as https://api.example.com.", o)
		}
	}
	return nil
}

// CheckHosts validates the host names of playground-hosts.
func CheckHosts(names []string) error {
	for _, name := range names {
		if origin, ok := capability.Origin("http://" + name); !ok || origin != "http://"+strings.ToLower(name) ||
			strings.Contains(name, ":") {
			return fault.Newf(fault.Invalid, "bad_setting",
				"playground-hosts: %q must be a host name such as docs.example.com.", name).
				WithField("playground-hosts")
		}
	}
	return nil
}

// ProxyURL parses the URL of a forward proxy. It returns nil for "".
func ProxyURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5"}, u.Scheme) ||
		u.Path != "" && u.Path != "/" || u.RawQuery != "" {
		return nil, fault.New(fault.Invalid, "bad_setting",
			"proxy: must be http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before the host if required.").
			WithField("proxy") // the cause would quote the password
	}
	return u, nil
}

// S3Object parses the address of one object: s3://BUCKET/KEY with the query parameters of the blob setting. The
// result's Prefix is the key.
func S3Object(text string) (S3, error) {
	place, err := parseS3(text)
	if err != nil || place.Prefix == "" {
		return S3{}, fault.New(fault.Invalid, "bad_source",
			"source: must be s3://BUCKET/KEY, with region, endpoint and path-style as query parameters, and without access keys.").WithField("source").WithCause(err)
	}
	return place, nil
}
