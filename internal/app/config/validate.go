package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

const (
	maxLinkLife  = 7 * 24 * time.Hour
	maxAgentTime = 2 * time.Hour
	// short enough that another worker takes over a dead worker's job within a minute, including the watch interval
	maxLease        = 45 * time.Second
	minSecretLength = 32
	minSiteCache    = 1 << 20

	minReserve = time.Hour
	maxReserve = 365 * 24 * time.Hour

	maxShutdownDelay = 5 * time.Minute
)

var hostName = lazyregexp.New(
	`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$`)

// Validate returns an error for the first invalid setting. The command-line parser calls it too.
func (s *Server) Validate() error {
	for _, check := range []func() error{s.checkChoices, s.checkAddresses, s.checkTLS, s.checkStorage, s.checkSecrets,
		s.checkSources, s.checkShared, s.checkLists, s.checkAgent, s.checkSamples, s.checkDashboard, s.checkMail, s.checkNumbers} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) checkChoices() error {
	v := reflect.ValueOf(s).Elem()
	for _, setting := range Reference() {
		if value := v.Field(setting.index); setting.Values != nil && !slices.Contains(setting.Values, value.String()) {
			return setting.bad("must be one of %s, not %q.", strings.Join(setting.Values, ", "), value.String())
		}
	}
	return nil
}

func (s *Server) checkAddresses() error {
	if s.Data == "" {
		return find("data").bad("must name a folder.")
	}
	if err := checkListen("listen", s.Listen); err != nil {
		return err
	}
	if s.MetricsListen != "off" {
		if err := checkListen("metrics.listen", s.MetricsListen); err != nil {
			return err
		}
	}
	for _, u := range [][2]string{{"public-url", s.PublicURL}, {"assistant.endpoint", s.AssistantEndpoint},
		{"otel.endpoint", s.OtelEndpoint}} {
		if err := checkURL(u[0], u[1]); err != nil {
			return err
		}
	}
	if u, err := url.Parse(s.PublicURL); err == nil && strings.Trim(u.Path, "/") != "" {
		return find("public-url").bad("must have no path: %q.", s.PublicURL)
	}
	if !hostName.MatchString(s.PreviewDomain) || len(s.PreviewDomain) > 200 {
		return find("preview-domain").bad("%q is not a host name.", s.PreviewDomain)
	}
	return nil
}

func checkListen(key, value string) error {
	_, port, err := net.SplitHostPort(value)
	if err != nil {
		return wrapBad(find(key), err, "%q must be HOST:PORT.", value)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil { // 0 means any free port
		return wrapBad(find(key), err, "the port of %q must be a number from 0 to 65535.", value)
	}
	return nil
}

func checkURL(key, value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return find(key).bad("must be an http or https URL.") // the value may contain a password
	}
	if u.RawQuery != "" || u.Fragment != "" || u.User != nil && key == "public-url" {
		return find(key).bad("must be a plain URL, without query, fragment or password.")
	}
	return nil
}

func (s *Server) checkSecrets() error {
	if s.SecretKey != "" && len(s.SecretKey) < minSecretLength {
		return find("secret-key").bad("must have at least %d characters.", minSecretLength)
	}
	for _, k := range s.SecretKeyPrevious {
		if len(k) < minSecretLength {
			return find("secret-key-previous").bad("each must have at least %d characters.", minSecretLength)
		}
	}
	return nil
}

func (s *Server) checkLists() error {
	if _, err := s.Proxies(); err != nil {
		return err
	}
	for _, a := range s.AllowAddress {
		if _, err := parseNetwork(a); err != nil && !hostName.MatchString(a) {
			return find("allow-address").bad("%q is neither a host name, an IP address nor a CIDR block.", a)
		}
	}
	if err := s.checkDomains(); err != nil {
		return err
	}
	if _, err := forge.ParseServers(s.ForgeHosts); err != nil {
		return find("forge.hosts").bad("%v.", err)
	}
	for _, list := range []struct {
		key     string
		origins []string
	}{{"playground.origins", s.PlaygroundOrigins}, {"assistant.origins", s.AssistantOrigins}} {
		if err := CheckOrigins(list.key, list.origins); err != nil {
			return err
		}
	}
	return s.checkFeatures()
}

// parseNetwork parses an IP address or a CIDR block.
func parseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		return p.Masked(), err
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("parse address: %w", err)
	}
	return netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()), nil
}

func (s *Server) checkNumbers() error {
	lease := s.JobLease
	for _, rule := range []struct {
		holds bool
		key   string
		want  string
	}{
		{s.RateLimit >= 0, "rate-limit", "must be 0 or more"},
		{s.CacheMaxBytes == 0 || s.CacheMaxBytes >= minCacheBytes, "cache.max-bytes", "must be 0 or at least 16777216"},
		{s.Workers >= NoWorkers && s.Workers <= 1024, "workers", "must be between -1 and 1024"},
		{s.Workers != NoWorkers ||
			s.Database != "", "workers", "can only be -1 with a database that other processes share"},
		{s.GitPollInterval == 0 || s.GitPollInterval >= time.Second, "git.poll-interval", "must be 0 or at least 1s"},
		{s.ExportLinkLife >= time.Second && s.ExportLinkLife <= maxLinkLife, "export.link-life",
			"must be between 1s and 168h"},
		{s.DomainsReserve >= minReserve && s.DomainsReserve <= maxReserve, "domains.reserve",
			"must be between 1h and 8760h"},
		{lease > 0 && lease <= maxLease, "job.lease", "must be more than 0 and at most 45s"},
		{s.JobMaxRunning >= 0, "job.max-running-per-organization", "must be 0 or more"},
		{s.JobMaxTime == 0 || s.JobMaxTime >= time.Minute, "job.max-time", "must be 0 or at least 1m"},
		{s.JobOutageLimit >= 0, "job.outage-limit", "must be 0 or more"},
		{s.JobHeartbeat > 0 && s.JobHeartbeat <= lease/3, "job.heartbeat",
			"must be more than 0 and at most a third of job.lease"},
		{s.ShutdownGrace >= 0, "shutdown-grace", "must be 0 or more"},
		{s.ShutdownDelay >= 0 && s.ShutdownDelay <= maxShutdownDelay, "shutdown-delay", "must be between 0s and 5m"},
		{s.SiteCache >= minSiteCache, "site.cache", "must be 1048576 or more"},
		{s.LinksDeadAfter >= 24*time.Hour, "links.dead-after", "must be 24h or more"},
		{s.PreviewMaxPulls >= 1, "preview.max-pulls", "must be 1 or more"},
		{s.PublishMaxRemoved >= 1 && s.PublishMaxRemoved <= 100, "publish.max-removed", "must be between 1 and 100"},
		{s.ExportMaxPages >= 0, "export.max-pages", "must be 0 or more"},
		{s.ExportMaxBytes >= 0, "export.max-bytes", "must be 0 or more"},
		{s.ExportMaxTime == 0 || s.ExportMaxTime >= time.Second, "export.max-time", "must be 0 or at least 1s"},
		{s.ExportMaxRunning >= 0, "export.max-running-per-organization", "must be 0 or more"},
		{s.ExportMaxQueued >= 0, "export.max-queued-per-organization", "must be 0 or more"},
		{s.ExportKeepFor == 0 || s.ExportKeepFor >= time.Minute, "export.keep-for", "must be 0 or at least 1m"},
		{s.ExportMaxStoredBytes >= 0, "export.max-stored-bytes", "must be 0 or more"},
		{s.AgentMaxRunning > 0, "agent.max-running", "must be 1 or more"},
		{s.AgentMaxSteps > 0, "agent.max-steps", "must be 1 or more"},
		{s.AgentMaxTokens > 0, "agent.max-tokens", "must be 1 or more"},
		{s.AgentMaxTime >= time.Second && s.AgentMaxTime <= maxAgentTime, "agent.max-time",
			"must be between 1s and 2h"},
		{s.AgentMaxFiles > 0, "agent.max-files", "must be 1 or more"},
		{s.AgentMaxBytes > 0, "agent.max-bytes", "must be 1 or more"},
		{s.AgentKeepFor == 0 || s.AgentKeepFor >= time.Minute, "agent.keep-for", "must be 0 or at least 1m"},
	} {
		if !rule.holds {
			return find(rule.key).bad("%s.", rule.want)
		}
	}
	return nil
}

// wrapBad is like bad, with a cause for operators.
func wrapBad(s Setting, cause error, format string, args ...any) error {
	f, _ := fault.As(s.bad(format, args...))
	return f.WithCause(cause)
}
