package llm

import "math"

// Price is what tokens cost, in US dollars for a million of them, which is millionths of a dollar for one.
type Price struct {
	Input, Output float64
	Cached        float64 // of those read from the server's cache; 0 = as Input
}

// Micros returns what usage costs, in millionths of a US dollar. It is never negative and never overflows, whatever a
// server counted.
func (p Price) Micros(u Usage) int64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	u.Cached = min(max(u.Cached, 0), max(u.Input, 0))
	sum := float64(max(u.Input, 0)-u.Cached)*p.Input + float64(u.Cached)*cached + float64(max(u.Output, 0))*p.Output
	switch {
	case !(sum > 0): // also what is not a number
		return 0
	case sum >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(math.Round(sum))
}
