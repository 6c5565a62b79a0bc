package bundlestore

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkReceive receives a bundle of 2,000 pages of about 6 KB each, just like a first start.
func BenchmarkReceive(b *testing.B) {
	site := tree{}
	for i := range 2000 {
		var page strings.Builder
		for j := range 150 {
			fmt.Fprintf(&page, "<p>words %d about thing %d</p>\n", i*j%9973, i+j)
		}
		site[fmt.Sprintf("g%d/page-%d.html", i/100, i)] = page.String()
	}
	src := given(b, site.sealed("v1").tarGz(b))
	for b.Loop() {
		v, err := Open(b.TempDir(), steps())
		if err == nil {
			_, err = v.Receive(b.Context(), src, Expect{})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(site))*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}
