package deploy

// Translation is how far the pages of a language are behind those of the default language.
type Translation struct {
	Language string       `json:"language"`
	Current  int          `json:"current"`  // made from their source as it is
	Stale    int          `json:"stale"`    // their source changed since
	Unmarked int          `json:"unmarked"` // they do not say what they were made from
	Missing  int          `json:"missing"`
	Behind   []BehindPage `json:"behind,omitempty"` // stale and missing ones, in the order of the navigation
	// Truncated means that more than MaxBehind pages are behind; the counts have all of them.
	Truncated bool `json:"truncated,omitempty"`
}

// MaxBehind bounds how many pages a language lists.
const MaxBehind = 200

// BehindPage is a translation that is stale or missing.
type BehindPage struct {
	Path   string `json:"path"`   // of a missing one, where it belongs
	Source string `json:"source"` // path in the default language
	State  string `json:"state"`  // stale, missing
}

// Add counts a translation; state is one of the four, as in the names of the counts.
func (t *Translation) Add(path, source, state string) {
	switch state {
	case "current":
		t.Current++
		return
	case "unmarked":
		t.Unmarked++
		return
	case "stale":
		t.Stale++
	default:
		t.Missing++
	}
	if len(t.Behind) == MaxBehind {
		t.Truncated = true
		return
	}
	t.Behind = append(t.Behind, BehindPage{Path: path, Source: source, State: state})
}
