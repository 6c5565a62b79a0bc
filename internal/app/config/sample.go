package config

import (
	"time"

	"github.com/lectern-docs/lectern/internal/build/codesample"
)

// checkSamples validates the settings of code samples.
func (s *Server) checkSamples() error {
	if _, err := codesample.ParseLanguages(s.SamplesLanguages); err != nil {
		return find("samples.languages").bad("%v", err)
	}
	if s.SamplesMaxTime <= 0 || s.SamplesMaxTime > 10*time.Minute {
		return find("samples.max-time").bad("must be more than 0 and at most 10m.")
	}
	return nil
}
