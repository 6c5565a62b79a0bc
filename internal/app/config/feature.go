package config

// checkFeatures validates the assistant and analytics settings.
func (s *Server) checkFeatures() error {
	if s.AssistantModel != "" {
		if kind, _, err := SplitModel(s.AssistantModel); err != nil || kind != ModelAnthropic && kind != ModelOpenAI {
			return find("assistant.model").bad("%q is not anthropic:NAME or openai:NAME.", s.AssistantModel)
		}
	}
	if s.FeaturesAssistant == "auto" && s.AssistantEndpoint != "" && s.AssistantModel == "" {
		return find("assistant.model").bad("must be the model to use at assistant.endpoint.")
	}
	if s.AssistantPerVisitor < 0 {
		return find("assistant.per-visitor").bad("must not be negative.")
	}
	if s.AssistantPerSite < 0 {
		return find("assistant.per-site").bad("must not be negative.")
	}
	if s.AssistantKeepFor < 0 {
		return find("assistant.keep-for").bad("must not be negative.")
	}
	if s.AnalyticsKeepFor < 0 {
		return find("analytics.keep-for").bad("must not be negative.")
	}
	return nil
}
