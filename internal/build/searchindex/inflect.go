package searchindex

import "strings"

// inflections are other forms of an English word that a text may have in its place: verify, verified, verification. They
// begin like the word, so that looking them up costs a browser no further shard, or one. Forms that do not exist cost
// nothing else. web/theme/src/search/inflect.ts is the same: change both.
func inflections(w string) []string {
	n := len(w)
	if n < 4 {
		return nil
	}
	for i := range n {
		if w[i] < 'a' || w[i] > 'z' {
			return nil
		}
	}
	switch {
	case strings.HasSuffix(w, "ing") && n > 5:
		return forms(w[:n-3], "", "e", "ed")
	case strings.HasSuffix(w, "ied") && n > 5:
		return forms(w[:n-3], "y", "ying", "ication")
	case strings.HasSuffix(w, "ication") && n > 9:
		return forms(w[:n-7], "y", "ying", "ied", "icate")
	case strings.HasSuffix(w, "ed") && n > 4:
		return forms(w[:n-2], "", "e", "ing")
	case strings.HasSuffix(w, "ation") && n > 7:
		return forms(w[:n-5], "", "e", "ate", "ing", "ed")
	case strings.HasSuffix(w, "ion") && n > 5:
		return forms(w[:n-3], "", "e", "ing", "ed")
	case w[n-1] == 'e':
		return forms(w[:n-1], "ing", "ed", "ion", "ation")
	case w[n-1] == 'y':
		return forms(w[:n-1], "ying", "ied", "ication")
	}
	last := w[n-1:]
	return forms(w, "ing", "ed", "ion", "ation", last+"ing", last+"ed")
}

func forms(stem string, endings ...string) (out []string) {
	for _, e := range endings {
		out = append(out, stem+e)
	}
	if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && endings[0] == "" { // committed
		out = append(out, stem[:n-1])
	}
	return out
}
