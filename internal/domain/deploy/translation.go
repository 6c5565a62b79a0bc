package deploy

// Translation is the state of a language's translations, compared with the default language.
type Translation struct {
	Language string       `json:"language"`
	Current  int          `json:"current"`  // made from the current source
	Stale    int          `json:"stale"`    // the source has changed since
	Unmarked int          `json:"unmarked"` // translations that do not say from which source they were made
	Missing  int          `json:"missing"`
	Behind   []BehindPage `json:"behind,omitempty"` // stale and missing pages, in the order of the navigation
	// Truncated means that more than MaxBehind pages are behind; the counts include all of them.
	Truncated bool `json:"truncated,omitempty"`
}

// MaxBehind limits the number of pages listed for a language.
const MaxBehind = 200

// BehindPage is a stale or missing translation.
type BehindPage struct {
	Path   string `json:"path"`   // for a missing page, its expected path
	Source string `json:"source"` // path in the default language
	State  string `json:"state"`  // stale, missing
}

// Add counts a translation. state is one of the four states, which have the same names as the counts.
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
