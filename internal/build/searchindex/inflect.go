package searchindex

import (
	"slices"
	"strings"
)

// inflections returns other forms of an English word that a text may use: verify, verified, verification. They have
// the same prefix as the word, so looking them up costs a browser at most one additional shard. Forms that do not
// exist do no harm. web/theme/src/search/inflect.ts is the same: change both.
func inflections(w string) []string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return nil
		}
	}
	return append(regular(w), irregular[w]...)
}

// regular returns the forms that follow rules.
func regular(w string) []string {
	n := len(w)
	switch {
	case n < 4:
		return nil
	case strings.HasSuffix(w, "ment") && n > 6:
		return append(regular(w[:n-4]), w[:n-4])
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
		return append(forms(w[:n-1], "ing", "ed", "ion", "ation", "al"), w+"ment")
	case w[n-1] == 'y':
		return append(forms(w[:n-1], "ying", "ied", "ication"), w+"ed", w+"ment")
	}
	last := w[n-1:]
	return forms(w, "ing", "ed", "ion", "ation", last+"ing", last+"ed", "ment")
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

// irregular maps each form of irregular verbs to the others, without forms that more often mean something else.
var irregular = func() map[string][]string {
	out := map[string][]string{}
	for verb := range strings.SplitSeq(irregularVerbs, ",") {
		all := strings.Fields(verb)
		for i, form := range all {
			out[form] = slices.Concat(all[:i], all[i+1:])
		}
	}
	return out
}()

const irregularVerbs = "begin began begun,break broke broken,bring brought,build built,buy bought,choose chose chosen," +
	"find found,forget forgot forgotten,give gave given,hide hid hidden,hold held,keep kept,know knew known,lose lost," +
	"make made,pay paid payment,run ran running,send sent,show shown,take took taken,write wrote written"
