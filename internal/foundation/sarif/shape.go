package sarif

import (
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// The types of a log, with the names of the standard.
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
		Results    []result `json:"results"` // never null, which would mean that nothing was checked
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name            string `json:"name"`
		Version         string `json:"version"`
		SemanticVersion string `json:"semanticVersion"`
		Information     string `json:"informationUri"`
		Rules           []rule `json:"rules"`
	}
	rule struct {
		ID         string     `json:"id"`
		Name       string     `json:"name"`
		Short      text       `json:"shortDescription"`
		Full       text       `json:"fullDescription"`
		Help       text       `json:"help"`
		HelpURI    string     `json:"helpUri"`
		Default    config     `json:"defaultConfiguration"`
		Properties properties `json:"properties"`
	}
	// properties holds properties that GitHub reads. The standard leaves their names to tools.
	properties struct {
		Tags      []string `json:"tags"`
		Precision string   `json:"precision"`
		Severity  string   `json:"problem.severity"`
	}
	config struct {
		Level diag.Severity `json:"level"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        diag.Severity     `json:"level"`
		Message      text              `json:"message"`
		Locations    []location        `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	location struct {
		Physical struct {
			Artifact artifact `json:"artifactLocation"`
			Region   region   `json:"region"`
			Context  *region  `json:"contextRegion,omitempty"`
		} `json:"physicalLocation"`
	}
	artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	region struct {
		StartLine   int   `json:"startLine"`
		StartColumn int   `json:"startColumn,omitempty"`
		EndLine     int   `json:"endLine,omitempty"`
		Snippet     *text `json:"snippet,omitempty"`
	}
)

// MarshalJSON omits empty Markdown.
func (t text) MarshalJSON() ([]byte, error) {
	m := map[string]string{"text": t.Text}
	if t.Markdown != "" {
		m["markdown"] = t.Markdown
	}
	return json.Marshal(m)
}
