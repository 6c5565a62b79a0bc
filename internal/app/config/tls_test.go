package config

import "testing"

func TestTLSSettingsMustBeConsistent(t *testing.T) {
	acme := func(s *Server) { s.TLSMode, s.PublicURL = "acme", "https://lectern.example.com" }
	files := func(s *Server) {
		s.TLSMode, s.TLSCertificateFiles, s.TLSKeyFiles = "files", []string{"a.crt"}, []string{"a.key"}
	}
	for name, c := range map[string]struct {
		key    string // "" = it is accepted
		mode   func(*Server)
		change func(*Server)
	}{
		"certificates by themselves":    {"", acme, func(*Server) {}},
		"files":                         {"", files, func(*Server) {}},
		"no redirect":                   {"", acme, func(s *Server) { s.TLSRedirectListen = "off" }},
		"an own authority, air-gapped":  {"", acme, func(s *Server) { s.DeploymentType, s.TLSACMEURL = "air-gapped", "https://ca.corp/dir" }},
		"the public one, air-gapped":    {"tls.acme-url", acme, func(s *Server) { s.DeploymentType = "air-gapped" }},
		"an authority over plain HTTP":  {"tls.acme-url", acme, func(s *Server) { s.TLSACMEURL = "http://ca.corp/dir" }},
		"no public host":                {"public-url", acme, func(s *Server) { s.PublicURL = "" }},
		"an address":                    {"public-url", acme, func(s *Server) { s.PublicURL = "https://192.0.2.1" }},
		"a plain public address":        {"public-url", files, func(s *Server) { s.PublicURL = "http://lectern.example.com" }},
		"a redirect without a port":     {"tls.redirect-listen", acme, func(s *Server) { s.TLSRedirectListen = "here" }},
		"files that would be ignored":   {"tls.mode", acme, func(s *Server) { s.TLSCertificateFiles = []string{"a.crt"} }},
		"files without the mode":        {"tls.mode", files, func(s *Server) { s.TLSMode = "off" }},
		"no files":                      {"tls.certificate-files", files, func(s *Server) { s.TLSCertificateFiles = nil }},
		"more certificates than keys":   {"tls.key-files", files, func(s *Server) { s.TLSCertificateFiles = []string{"a", "b"} }},
		"an unknown mode":               {"tls.mode", acme, func(s *Server) { s.TLSMode = "on" }},
		"the default is no TLS":         {"", func(*Server) {}, func(*Server) {}},
		"a public HTTPS address, proxy": {"", func(*Server) {}, func(s *Server) { s.PublicURL = "https://x.example.com" }},
	} {
		t.Run(name, func(t *testing.T) {
			s := Defaults()
			c.mode(&s)
			c.change(&s)
			err := s.Validate()
			if c.key == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantFault(t, err, "bad_setting", c.key, c.key, EnvName(c.key))
		})
	}
}
