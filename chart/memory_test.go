package chart

import "testing"

// H5: Go's memory limit is four fifths of the container's limit, which leaves room for memory that Go does not count.
// If the chart cannot parse the container's limit, it sets none.
func TestGoMemoryLimitIsBelowThePodLimit(t *testing.T) {
	for limit, want := range map[string]string{
		"256Mi": "214748364", "1Gi": "858993459", "1.5Gi": "1288490188", "100000Ki": "81920000", "200M": "160000000",
		"2G": "1600000000", "300000k": "240000000", "268435456": "214748364",
		"2147483648": "1717986918", "268435456000m": "", "1Ti": "", "0": "",
	} {
		for _, r := range []rendering{{texts: []string{"staticExport.resources.limits.memory=" + limit}},
			{set: []string{"staticExport.resources.limits.memory=" + limit}}} {
			r.files = []string{"static"}
			if got, _ := variable(t, r, "docs", "GOMEMLIMIT"); got != want {
				t.Errorf("%s: below %q, want %q", limit, got, want)
			}
		}
	}
	if got, set := variable(t, rendering{files: []string{"static"},
		set: []string{"staticExport.resources.limits=null"}}, "docs", "GOMEMLIMIT"); set {
		t.Errorf("no limit, but below %q", got)
	}
	for component, want := range map[string]string{"server": "858993459", "worker": "1717986918",
		"migrate": "214748364"} {
		if got, _ := variable(t, rendering{files: []string{"platform"}}, component, "GOMEMLIMIT"); got != want {
			t.Errorf("%s: below %q, want %q", component, got, want)
		}
	}
}

// variable returns the value of a variable of a component's container, and whether it has one.
func variable(t *testing.T, r rendering, component, name string) (value string, set bool) {
	t.Helper()
	p, err := podOf(r.objects(t), component)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list(p.containers()[0], "env") {
		if text(e, "name") == name {
			return text(e, "value"), true
		}
	}
	return "", false
}
