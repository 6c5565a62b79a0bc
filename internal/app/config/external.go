package config

// External reports whether pages may load content from other hosts at their author's request.
func (s *Server) External() bool { return external(s.PagesExternal, s.DeploymentType) }

// external resolves the setting pages.external. In an air-gapped deployment it is off unless the operator turns it
// on.
func external(setting, deployment string) bool {
	switch setting {
	case "on":
		return true
	case "off":
		return false
	}
	return deployment != "air-gapped"
}
