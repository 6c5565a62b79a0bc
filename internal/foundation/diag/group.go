package diag

// Group is a set of findings that differ only in their position.
type Group struct {
	Diagnostic              // the first finding
	Others     []Diagnostic // the other findings, in their order
}

// Groups groups findings with the same severity, code, message and hint, ordered by the first finding of each
// group.
func (l List) Groups() []Group {
	type same struct {
		severity            Severity
		code, message, hint string
	}
	at := map[same]int{}
	var out []Group
	for _, d := range l {
		key := same{d.Severity, d.Code, d.Message, d.Hint}
		if i, ok := at[key]; ok {
			out[i].Others = append(out[i].Others, d)
			continue
		}
		at[key] = len(out)
		out = append(out, Group{Diagnostic: d})
	}
	return out
}
