package llm

import "math"

// Price is the price of tokens in US dollars per million, which equals millionths of a dollar per token.
type Price struct {
	Input, Output float64
	Cached        float64 // for tokens read from the server's cache; 0 = same as Input
}

// Micros returns the cost of usage in millionths of a US dollar. It is never negative and never overflows, whatever
// a server counted.
func (p Price) Micros(u Usage) int64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	u.Cached = min(max(u.Cached, 0), max(u.Input, 0))
	sum := float64(max(u.Input, 0)-u.Cached)*p.Input + float64(u.Cached)*cached + float64(max(u.Output, 0))*p.Output
	switch {
	case !(sum > 0): // also handles NaN
		return 0
	case sum >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(math.Round(sum))
}
