package barchart

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func days(n int) (out []time.Time) {
	for i := range n {
		out = append(out, time.Date(2026, 3, 1+i, 0, 0, 0, 0, time.UTC))
	}
	return out
}

// element is a start tag of a drawing.
type element struct {
	name string
	attr map[string]string
}

func (e element) number(t *testing.T, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSuffix(e.attr[name], "%"), 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", name, e, err)
	}
	return v
}

func parse(t *testing.T, svg string) (out []element, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out, text
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			out = append(out, e)
		case xml.CharData:
			text += string(token) + "\n"
		}
	}
}

// Bars of one day are stacked, stay inside the chart, and have heights proportional to their values.
func TestBarsAreStacked(t *testing.T) {
	for _, n := range []int{1, 2, 7, 28, 90, 400} {
		a, b := Series{Class: "human", Name: "people"}, Series{Class: "ai", Name: "AI"}
		for i := range n {
			a.Values, b.Values = append(a.Values, int64(i*13%97)), append(b.Values, int64(i%3))
		}
		c := Chart{Title: "Views", Days: days(n), Series: []Series{a, b}}
		elements, text := parse(t, string(c.SVG()))
		lines := ticks(c.Most())
		unit := float64(plot) / float64(lines[len(lines)-1])
		day, feet, drawn := -1, 0.0, 0.0
		for _, e := range elements {
			switch {
			case e.name == "rect" && e.attr["class"] == "day":
				day++
				feet = top + plot
			case e.name == "rect":
				x, w, y, h := e.number(t, "x"), e.number(t, "width"), e.number(t, "y"), e.number(t, "height")
				if math.Abs(y+h-feet) > 0.01 || y < top-1 || x < 0 || x+w > 100.001 {
					t.Fatalf("%d days, day %d: a bar at %v,%v of %vx%v, feet at %v", n, day, x, y, w, h, feet)
				}
				feet = y
				drawn += h
			}
		}
		if day != n-1 {
			t.Errorf("%d days have %d bars", n, day+1)
		}
		var sum float64
		for _, v := range slices.Concat(a.Values, b.Values) {
			if v > 0 {
				sum += max(1, float64(v)*unit)
			}
		}
		if math.Abs(drawn-sum) > 0.01*float64(n) {
			t.Errorf("%d days: bars are %v high in sum, want %v", n, drawn, sum)
		}
		if !strings.Contains(text, "1 March 2026: 0 people, 0 AI") {
			t.Errorf("%d days: the first day has no title: %s", n, text)
		}
	}
}

func TestForeignTextIsEscaped(t *testing.T) {
	evil := `"><script>alert(1)</script>`
	svg := string(Chart{Title: evil, Days: days(1),
		Series: []Series{{Class: evil, Name: evil, Values: []int64{1}}}}.SVG()) + string(Spark(evil, []int64{1}))
	if strings.Contains(svg, "<script") {
		t.Error(svg)
	}
	for _, part := range strings.SplitAfter(svg, "</svg>")[:2] {
		parse(t, part)
	}
}

func TestGridLinesAreRoundNumbers(t *testing.T) {
	for most, want := range map[int64][]int64{0: {0, 1}, 1: {0, 1}, 3: {0, 1, 2, 3}, 4: {0, 1, 2, 3, 4},
		5: {0, 2, 4, 6}, 17: {0, 5, 10, 15, 20}, 99: {0, 50, 100}, 1234: {0, 500, 1000, 1500}} {
		if got := ticks(most); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", most, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "−1,234"} {
		if got := Number(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1500: "1.5k", 12000: "12k", 2e6: "2M"} {
		if got := brief(n); got != want {
			t.Errorf("%d is written %s in brief form", n, got)
		}
	}
}

func TestEmptyChartDrawsNothing(t *testing.T) {
	if (Chart{}).SVG() != "" || Spark("x", nil) != "" {
		t.Error("something is drawn")
	}
	if _, text := parse(t, string(Chart{Title: "x", Days: days(7),
		Series: []Series{{Values: make([]int64, 7)}}}.SVG())); !strings.Contains(text, "7 Mar") {
		t.Errorf("an empty week has no days: %s", text)
	}
}
