package audience

import "time"

// Kind is what happened.
type Kind string

// The kinds.
const (
	View       Kind = "view"       // a page was shown, or its text was read by a program
	Search     Kind = "search"     // a reader searched
	Click      Kind = "click"      // a result of a search was opened
	Missing    Kind = "missing"    // an address led nowhere
	Ask        Kind = "ask"        // the assistant was asked
	Try        Kind = "try"        // a request was sent from the playground
	Copy       Kind = "copy"       // a code block was copied
	Suggestion Kind = "suggestion" // a reader said something about a page; what was said is a Feedback
)

// Class is what kind of reader it was.
type Class string

// The classes. Humans are detected by a script in the page, all others by user agent.
const (
	Human    Class = "human"
	Agent    Class = "ai"          // a program that reads for somebody who asked just now
	Indexer  Class = "searchIndex" // a search engine's
	Trainer  Class = "training"    // one that collects texts for models
	OtherBot Class = "otherAi"
)

// Event is one thing that happened on a site. Texts are untrusted; the code that creates the event bounds them.
type Event struct {
	ProjectID string
	At        time.Time
	Kind      Kind
	Class     Class
	Visitor   [8]byte // identifies a reader during one day on one site; zero = readers are not distinguished
	// of the page, with a slash before it and none at its end, as readers see it: "/", "/guides/start"
	Path     string
	Referrer string // host name that led here, "" = none or the site itself
	Query    string // Search, Click: what was searched for
	Hits     int    // Search: how many results there were
	Target   string // Click: path of the page that was opened; Try: method and path of the operation
	Status   int    // Try: what the API answered; 0 = nothing
}

// Recorder takes events. Record returns at once, and may drop events when there are more than it can take.
type Recorder interface {
	Record(Event)
}
