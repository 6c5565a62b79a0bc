package daemon

import (
	"fmt"
	"net"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// siteURL returns a site's URL for browsers. Names below localhost point to this machine, so they use this server's
// port.
func (s *server) siteURL(domain string) string {
	host, path := project.SplitDomain(domain)
	if !strings.HasSuffix(host, ".localhost") {
		return s.canonical(domain)
	}
	_, port, _ := net.SplitHostPort(s.listener.Addr().String()) // a listener's address always contains a port
	scheme := "http://"
	if s.Config.HasTLS() {
		scheme = "https://"
	}
	return atPort(scheme+host, port) + path
}

// announce prints the server's addresses, and the first secrets if this start created them.
func (s *server) announce(first firstStart) {
	base := s.baseURL()
	s.Logger.Info("serving", "listen", s.listener.Addr().String(), "url", base, "data", s.Config.Data)
	var b strings.Builder
	fmt.Fprintf(&b, "\nLectern %s is running.\n\n", s.Version)
	if s.Config.FirstSite != "off" {
		fmt.Fprintf(&b, "  Documentation   %s\n", s.siteURL(firstDomain))
	}
	fmt.Fprintf(&b, "  Dashboard       %s/\n  Admin API       %s/v1 (described at %s/openapi.json)\n", base, base, base)
	if first.owner != "" {
		fmt.Fprintf(&b,
			"\n  Open this link to create the owner's account; it works once, for a day:\n\n    %s%s?token=%s\n", base,
			account.JoinPath, first.owner)
	}
	if first.key != "" {
		fmt.Fprintf(&b, "\n  Your admin API key, shown only once:\n\n    %s\n", first.key)
		if s.Config.FirstSite != "off" {
			fmt.Fprintf(&b, "\n  Paste this into another terminal to export the documentation site:\n\n")
			fmt.Fprintf(&b, "    export LECTERN_URL=%s LECTERN_KEY=%s\n", base, first.key)
			fmt.Fprintf(&b, "    %s exports start %s --wait\n", s.program(), firstDomain)
			if !store.IsPostgres(s.Config.Database) {
				fmt.Fprintf(&b, "\n  And this to let an agent fix the links of a sample site, %s:\n\n",
					s.siteURL(tourDomain))
				fmt.Fprintf(&b, "    %s agent start --project %s --prompt \"fix broken links\" --wait\n", s.program(),
					tourDomain)
			}
		}
		fmt.Fprintf(&b, "\n  Keep the key out of client-side code. Create more with: %s keys create --data %s\n",
			s.program(), s.Config.Data)
	}
	if first.ownerless && first.owner == "" {
		fmt.Fprintf(&b,
			"\n  Nobody can sign in yet. This output may be collected, so it contains no link and no key. Create them on this machine:\n\n")
		fmt.Fprintf(&b, "    %s org invite --role owner %s\n    %s keys create %s\n", s.program(), s.settingsFlag(),
			s.program(), s.settingsFlag())
	}
	b.WriteString("\n")
	_, _ = fmt.Fprint(s.Out, b.String())
}

// settingsFlag returns the flag with which a command on this machine finds the server's settings.
func (s *server) settingsFlag() string {
	if s.Config.Config != "" {
		return "--config " + s.Config.Config
	}
	return "--data " + s.Config.Data
}

// program returns the name or path with which a person can run this program.
func (s *server) program() string {
	if s.SelfExe == "" {
		return "lectern"
	}
	return s.SelfExe
}
