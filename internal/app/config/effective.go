package config

import (
	"net"
	"net/netip"
	"strings"
)

// WorkerCount returns the number of concurrent jobs on a machine with that many processors, or 0 if other processes run
// the jobs.
func (s *Server) WorkerCount(processors int) int {
	switch {
	case s.Workers > 0:
		return s.Workers
	case s.Workers == NoWorkers:
		return 0
	default:
		return max(2, processors)
	}
}

// NoWorkers is the value of the workers setting for a process that runs no jobs.
const NoWorkers = -1

// BaseURL returns the URL at which callers reach this server: the setting, or a URL with the listen address. If it
// listens on all addresses, the host is localhost.
func (s *Server) BaseURL(listening net.Addr) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/")
	}
	scheme := "http://"
	if s.HasTLS() {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(listening.String())
	if err != nil {
		return scheme + listening.String()
	}
	if addr, err := netip.ParseAddr(host); err != nil || addr.IsUnspecified() {
		host = "localhost"
	}
	return scheme + net.JoinHostPort(host, port)
}

// Proxies returns the networks of trusted reverse proxies.
func (s *Server) Proxies() ([]netip.Prefix, error) {
	list := make([]netip.Prefix, 0, len(s.TrustedProxies))
	for _, text := range s.TrustedProxies {
		p, err := parseNetwork(text)
		if err != nil {
			return nil, wrapBad(find("trusted-proxies"), err, "%q is neither an IP address nor a CIDR block.", text)
		}
		list = append(list, p)
	}
	return list, nil
}

// Credentials returns the repository credentials that the operator set in env and in the credentials folder.
func (s *Server) Credentials(env Env) Credentials {
	return Credentials{env: env, dir: s.CredentialsDir}
}

// HasAssistantModel reports whether a language model answers readers' questions; otherwise the assistant quotes the
// documentation. An air-gapped server never uses one, regardless of the settings (F7).
func (s *Server) HasAssistantModel() bool {
	return s.FeaturesAssistant != "local" && s.DeploymentType != "air-gapped" && s.AssistantEndpoint != ""
}
