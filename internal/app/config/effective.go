package config

import (
	"net"
	"net/netip"
	"strings"
)

// WorkerCount returns the number of jobs done at once on a machine with that many processors; 0 when other processes do
// them.
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

// NoWorkers as the workers setting leaves all jobs to other processes.
const NoWorkers = -1

// BaseURL returns where callers reach this server: as set, or http with the address it listens on. Listening on every
// address is answered with localhost.
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

// Proxies returns the networks whose forwarding headers are believed.
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

// Credentials returns the repository credentials that the operator keeps in env and in the credentials folder.
func (s *Server) Credentials(env Env) Credentials {
	return Credentials{env: env, dir: s.CredentialsDir}
}

// HasAssistantModel reports whether a language model answers readers' questions; otherwise the documentation is quoted.
// An air-gapped server has none, whatever is set (F7).
func (s *Server) HasAssistantModel() bool {
	return s.FeaturesAssistant != "local" && s.DeploymentType != "air-gapped" && s.AssistantEndpoint != ""
}
