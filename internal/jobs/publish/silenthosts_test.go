package publish

import "testing"

// An unresponsive host is skipped for the organization whose requests timed out, and for all once several organizations
// had timeouts; a response in time ends that. Another port is another host, and folders have none.
func TestSilentHostsOfOneOrganizationDoNotDelayOthers(t *testing.T) {
	s := silentHosts{late: map[string]map[string]int{}}
	here, port := hostOf("https://git.example.com/a/b.git"), hostOf("https://git.example.com:81/a/b.git")
	if here == port || here == "" || hostOf("git@git.example.com:a/b.git") == "" || hostOf("/srv/docs") != "" {
		t.Fatalf("hosts %q and %q", here, port)
	}
	for range hostPatience {
		s.note(here, "org_a", true)
		s.note("", "org_a", true)
	}
	if !s.skip(here, "org_a") || s.skip(here, "org_b") || s.skip(port, "org_a") || s.skip("", "org_a") {
		t.Errorf("%+v", s.late)
	}
	for _, org := range []string{"org_c", "org_d"} {
		s.note(here, org, true)
	}
	if !s.skip(here, "org_b") {
		t.Error("three organizations waited, and the host is asked for others")
	}
	s.note(here, "org_d", false)
	if s.skip(here, "org_a") || s.skip(here, "org_b") {
		t.Error("the host responded and is left out")
	}
}
