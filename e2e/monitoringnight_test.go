//go:build nightly

package e2e

import (
	"regexp"
	"testing"
)

// The rules are valid, and each alert fires when it should and keeps quiet when it should.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", alertsFile)
	promtool(t, "test", "rules", "testdata/alerts.yaml")
	tried := content(t, "testdata/alerts.yaml")
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(content(t, alertsFile), -1) {
		if !regexp.MustCompile(`ALERTS\{alertname="` + m[1] + `"`).MatchString(tried) {
			t.Errorf("no test makes %s fire", m[1])
		}
	}
}
