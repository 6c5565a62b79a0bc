package audience

import "time"

// Kind is the kind of an event.
type Kind string

// The kinds.
const (
	View       Kind = "view"       // a page was shown, or a program read its text
	Search     Kind = "search"     // a reader searched
	Click      Kind = "click"      // a search result was opened
	Missing    Kind = "missing"    // a requested address does not exist
	Ask        Kind = "ask"        // the assistant was asked a question
	Try        Kind = "try"        // a request was sent from the playground
	Copy       Kind = "copy"       // a code block was copied
	Suggestion Kind = "suggestion" // a reader gave feedback on a page; its content is a Feedback
)

// Class is the kind of reader.
type Class string

// The classes. Humans are recognized by a script in the page, all others by their User-Agent.
const (
	Human    Class = "human"
	Agent    Class = "ai"          // a program that reads at a person's request
	Indexer  Class = "searchIndex" // a search engine's crawler
	Trainer  Class = "training"    // a program that collects text for training models
	OtherBot Class = "otherAi"
)

// Event is something that happened on a site. Texts are untrusted; the code that creates the event limits their
// length.
type Event struct {
	ProjectID string
	At        time.Time
	Kind      Kind
	Class     Class
	Visitor   [8]byte // identifies a reader during one day on one site; zero = readers are not distinguished
	// path of the page as readers see it, with a leading and without a trailing slash: "/", "/guides/start"
	Path     string
	Referrer string // referring host, "" = none or the site itself
	Query    string // Search, Click: the search query
	Hits     int    // Search: number of results
	Target   string // Click: path of the page that was opened; Try: method and path of the operation
	Status   int    // Try: the API's response status; 0 = no response
}

// Recorder accepts events. Record returns immediately, and may drop events when there are too many.
type Recorder interface {
	Record(Event)
}
