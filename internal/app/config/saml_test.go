package config

import "testing"

func TestSAMLSettingsMustBeConsistent(t *testing.T) {
	for name, c := range map[string]struct {
		key    string // "" = it is accepted
		change func(*Server)
	}{
		"address":      {"", func(s *Server) { s.SAMLMetadataURL = "https://id.example.com/metadata" }},
		"file":         {"", func(s *Server) { s.SAMLMetadataFile = "metadata.xml" }},
		"group":        {"", func(s *Server) { s.SAMLRoles = []string{"CN=staff,O=acme=editor"} }},
		"both":         {"saml.metadata-file", func(s *Server) { s.SAMLMetadataURL, s.SAMLMetadataFile = "https://id.example.com/", "x" }},
		"no address":   {"saml.metadata-url", func(s *Server) { s.SAMLMetadataURL = "id.example.com" }},
		"unknown role": {"saml.roles", func(s *Server) { s.SAMLRoles = []string{"staff=boss"} }},
		"two providers": {"saml.metadata-url", func(s *Server) {
			s.SAMLMetadataFile, s.OIDCIssuer, s.OIDCClientID = "metadata.xml", "https://id.example.com", "x"
		}},
	} {
		s := Defaults()
		c.change(&s)
		err := s.Validate()
		if c.key == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		wantFault(t, err, "bad_setting", c.key, c.key, EnvName(c.key))
	}
}
