package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
)

// Everybody who is signed in sees the overview of their own organization; others are redirected to the sign-in page.
func TestOverviewIsShownToMembersOnly(t *testing.T) {
	r := newRig(t)
	for who, org := range map[string]string{"owner": "a", "admin": "a", "editor": "a", "viewer": "a", "foreign": "b"} {
		status, body := r.get(who, "/dashboard/")
		if status != http.StatusOK || !strings.Contains(body, "docs."+org+".example") {
			t.Errorf("%s: %d %s", who, status, body)
		}
	}
	if status, to := r.get("", "/dashboard/"); status != http.StatusSeeOther ||
		to != "/dashboard/sign-in?next=%2Fdashboard%2F" {
		t.Errorf("a stranger: %d %s", status, to)
	}
}
