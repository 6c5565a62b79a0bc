package sarif

import (
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/diag"
)

// The parts of a log, with the names of the standard.
type (
	text    struct{ Text, Markdown string }
	logFile struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool       tool     `json:"tool"`
		ColumnKind string   `json:"columnKind"`
		Results    []result `json:"results"` // never null: that would say that nothing was looked at
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Rules   []rule `json:"rules"`
	}
	rule struct {
		ID      string `json:"id"`
		Short   *text  `json:"shortDescription,omitempty"`
		Help    *text  `json:"help,omitempty"`
		Default config `json:"defaultConfiguration"`
	}
	config struct {
		Level diag.Severity `json:"level"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        diag.Severity     `json:"level"`
		Message      text              `json:"message"`
		Locations    []location        `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	location struct {
		Physical struct {
			Artifact artifact `json:"artifactLocation"`
			Region   *region  `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	region struct {
		StartLine   int   `json:"startLine"`
		StartColumn int   `json:"startColumn,omitempty"`
		Snippet     *text `json:"snippet,omitempty"`
	}
)

// MarshalJSON leaves Markdown out where there is none.
func (t text) MarshalJSON() ([]byte, error) {
	m := map[string]string{"text": t.Text}
	if t.Markdown != "" {
		m["markdown"] = t.Markdown
	}
	return json.Marshal(m)
}
