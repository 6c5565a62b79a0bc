package diag

// Group is findings that say the same of different places. The list it was made from has them all.
type Group struct {
	Diagnostic              // the first of them
	Others     []Diagnostic // the rest, in their order
}

// Groups puts findings with the same severity, code, message and hint together, in the order of the first of each.
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
