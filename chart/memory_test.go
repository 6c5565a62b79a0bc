package chart

import (
	"maps"
	"slices"
	"testing"
)

// H5: Go's memory limit is four fifths of the container's limit, which leaves room for memory that Go does not count.
// If the chart cannot parse the container's limit, it sets none.
func TestGoMemoryLimitIsBelowThePodLimit(t *testing.T) {
	rows := map[string]string{
		"256Mi": "214748364", "1Gi": "858993459", "1.5Gi": "1288490188", "100000Ki": "81920000", "200M": "160000000",
		"2G": "1600000000", "300000k": "240000000", "268435456": "214748364",
		"2147483648": "1717986918", "268435456000m": "", "1Ti": "", "0": "",
	}
	components := map[string]string{"docs": "staticExport", "server": "platform.server", "worker": "platform.worker",
		"migrate": "platform.migrations"}
	// Each rendering tests as many limits as there are components, because a helm call takes a tenth of a second of
	// processor time.
	for limits := range slices.Chunk(slices.Sorted(maps.Keys(rows)), len(components)) {
		var set []string
		chosen := map[string]string{}
		for i, component := range slices.Sorted(maps.Keys(components))[:len(limits)] {
			chosen[component] = limits[i]
			set = append(set, components[component]+".resources.limits.memory="+limits[i])
		}
		for _, r := range []rendering{{texts: set}, {set: set}} {
			r.files = []string{"everything"}
			for component, limit := range chosen {
				if got, _ := variable(t, r, component, "GOMEMLIMIT"); got != rows[limit] {
					t.Errorf("%s of %s: Go's limit is %q, want %q", limit, component, got, rows[limit])
				}
			}
		}
	}
	if got, set := variable(t, rendering{files: []string{"static"},
		set: []string{"staticExport.resources.limits=null"}}, "docs", "GOMEMLIMIT"); set {
		t.Errorf("no container limit, but Go's limit is %q", got)
	}
	for component, want := range map[string]string{"server": "858993459", "worker": "1717986918",
		"migrate": "214748364"} {
		if got, _ := variable(t, rendering{files: []string{"platform"}}, component, "GOMEMLIMIT"); got != want {
			t.Errorf("%s: Go's limit is %q, want %q", component, got, want)
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
