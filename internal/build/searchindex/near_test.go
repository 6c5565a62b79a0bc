package searchindex

import "testing"

// Words of a query that are in one sentence, in any order, count for more than the same words scattered over a text.
func TestWordsInOneSentenceCountForMore(t *testing.T) {
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

// The more words of the query a chunk has, the more its unread text counts. A single word has no neighbours.
func TestUnreadTextsCountByTheirWords(t *testing.T) {
	has, lacks := []int32{0, 100}, []int32{100, 0}
	for _, c := range []struct {
		name  string
		units []*unit
		want  float64
	}{
		{"all words", []*unit{{rarity: 30, weight: has}, {rarity: 10, weight: has}}, unreadWorth},
		{"the rarer one of two", []*unit{{rarity: 30, weight: has}, {rarity: 10, weight: lacks}}, unreadWorth * 30 / 40},
		{"none", []*unit{{rarity: 30, weight: lacks}, {rarity: 10, weight: lacks}}, 0},
		{"one word", []*unit{{rarity: 30, weight: has}}, 0},
		{"one beside words that say nothing", []*unit{{rarity: 30, weight: has}, {rarity: 9, weight: has, weak: true},
			{rarity: 9, weight: has, optional: true}}, 0},
		{"words that the site lacks", []*unit{{weight: lacks}, {weight: lacks}}, 0},
	} {
		if got := likelyNearness(1, c.units); got != c.want {
			t.Errorf("%s: got %g, want %g", c.name, got, c.want)
		}
	}
}
