package config

import (
	"net"
	"net/url"
	"strings"
)

// HasTLS reports whether the server terminates HTTPS itself.
func (s *Server) HasTLS() bool { return s.TLSMode == "acme" || s.TLSMode == "files" }

// PublicHost returns the host name of the server's own address, without its port, or "" if public-url is not set.
func (s *Server) PublicHost() string {
	u, err := url.Parse(s.PublicURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

func (s *Server) checkTLS() error {
	if !s.HasTLS() {
		return s.checkNoTLS()
	}
	if s.TLSRedirectListen != "off" {
		if err := checkListen("tls.redirect-listen", s.TLSRedirectListen); err != nil {
			return err
		}
	}
	if s.PublicURL != "" && !strings.HasPrefix(s.PublicURL, "https://") {
		return find("public-url").bad("must begin with https:// because tls.mode is %s.", s.TLSMode)
	}
	if s.TLSMode == "files" {
		return s.checkTLSFiles()
	}
	if len(s.TLSCertificateFiles)+len(s.TLSKeyFiles) > 0 {
		return find("tls.mode").bad("must be files if tls.certificate-files or tls.key-files is set.")
	}
	if u, err := url.Parse(s.TLSACMEURL); err != nil || u.Scheme != "https" || u.Host == "" {
		return find("tls.acme-url").bad("must be an https URL.")
	}
	if host := s.PublicHost(); s.PublicURL == "" || net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		return find("public-url").bad("must have a public host name, such as https://lectern.example.com, " +
			"because tls.mode is acme.")
	}
	if s.DeploymentType == "air-gapped" && s.TLSACMEURL == Defaults().TLSACMEURL {
		return find("tls.acme-url").bad("must be an authority in your own network: an air-gapped server cannot reach %s.",
			s.TLSACMEURL)
	}
	return nil
}

func (s *Server) checkNoTLS() error {
	if len(s.TLSCertificateFiles)+len(s.TLSKeyFiles) > 0 {
		return find("tls.mode").bad("must be files if tls.certificate-files or tls.key-files is set.")
	}
	return nil
}

func (s *Server) checkTLSFiles() error {
	if len(s.TLSCertificateFiles) == 0 {
		return find("tls.certificate-files").bad("must name at least one file because tls.mode is files.")
	}
	if len(s.TLSKeyFiles) != len(s.TLSCertificateFiles) {
		return find("tls.key-files").bad("must name one file for each of tls.certificate-files: %d, not %d.",
			len(s.TLSCertificateFiles), len(s.TLSKeyFiles))
	}
	return nil
}
