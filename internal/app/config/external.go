package config

// External reports whether pages may load from other hosts what their author asks for.
func (s *Server) External() bool { return external(s.PagesExternal, s.DeploymentType) }

// external resolves the setting pages.external. An air-gapped deployment contacts nobody unless its operator asks for
// it.
func external(setting, deployment string) bool {
	switch setting {
	case "on":
		return true
	case "off":
		return false
	}
	return deployment != "air-gapped"
}
