package searchindex

import "testing"

// Words of a query that stand in one sentence, in any order, say more than the same words scattered over a text.
func TestWordsThatStandTogetherCountForMore(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []int
		want  float64
	}{
		{"nothing else among them", []int{-1, 2, 0, 1, -1}, 1},
		{"one of them missing", []int{0, 1, -1}, 0},
		{"two other words among them", []int{0, -1, 1, -1, 2}, 0.6},
		{"the shortest of several parts", []int{0, -1, 2, 1, -1, 1, 2, 0}, 1},
		{"the same word twice", []int{0, 0, 1, 2}, 1},
		{"no word", nil, 0},
	} {
		if got := density(c.words, []*unit{{}, {}, {}, {optional: true}}); got != c.want {
			t.Errorf("%s: got %g, want %g", c.name, got, c.want)
		}
	}
}
