package feature

// Type is the type of a deployment: where and for whom the server runs.
type Type string

// The types, spelled as in the setting deployment.type.
const (
	Cloud        Type = "cloud"
	ClientHosted Type = "client-hosted"
	AirGapped    Type = "air-gapped"
)

// State is a feature's state in the specification's table.
type State string

// The states. Local is an addition to the table: the feature runs entirely within an air-gapped server or bundle.
const (
	Available    State = "available"
	Configurable State = "configurable"
	Unavailable  State = "unavailable"
	Local        State = "local"
)

// Feature is one feature of a deployment.
type Feature struct {
	State   State  `json:"state"`
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason"` // a sentence, never empty
}

// Set contains all features of a deployment.
type Set struct {
	Search       Feature `json:"search"`
	Assistant    Feature `json:"assistant"`
	Analytics    Feature `json:"analytics"`
	Playground   Feature `json:"playground"`
	StaticExport Feature `json:"staticExport"`
}

// Deployment is the type and its features.
type Deployment struct {
	Type     Type `json:"type"`
	Features Set  `json:"features"`
}

// Setup contains the operator's settings, spelled as in the configuration.
type Setup struct {
	Type              Type
	Search            string // on, off, local
	Analytics         string // on, off
	Assistant         string // auto, local, off
	AssistantEndpoint bool   // whether a model endpoint is set
	PlaygroundOrigins bool   // whether origins are set that the playground may call when air-gapped
}

// table is the table in the specification's first section: cloud, client-hosted, air-gapped.
var table = map[string]map[Type]State{
	"search":       {Cloud: Available, ClientHosted: Configurable, AirGapped: Unavailable},
	"assistant":    {Cloud: Available, ClientHosted: Configurable, AirGapped: Unavailable},
	"analytics":    {Cloud: Available, ClientHosted: Configurable, AirGapped: Unavailable},
	"playground":   {Cloud: Available, ClientHosted: Available, AirGapped: Configurable},
	"staticExport": {Cloud: Available, ClientHosted: Available, AirGapped: Available},
}

// Decide combines the table with the operator's settings. Features that are unavailable in the table are off regardless
// of the settings, except those that the operator of an air-gapped server explicitly sets to local.
func Decide(s Setup) Deployment {
	return Deployment{Type: s.Type, Features: Set{
		Search:     search(s),
		Assistant:  assistant(s),
		Analytics:  analytics(s),
		Playground: playground(s),
		StaticExport: Feature{table["staticExport"][s.Type], true,
			"Every deployment can export its sites; the organization's plan must be enterprise."},
	}}
}

const (
	switchedOff = "The operator turned it off."
	airGapped   = "It is not available in an air-gapped deployment."
)

func search(s Setup) Feature {
	state := table["search"][s.Type]
	switch {
	case s.Search == "off" && state != Unavailable:
		return Feature{state, false, switchedOff}
	case s.Search == "local" && state == Unavailable:
		return Feature{Local, true, "As configured, search runs entirely inside the site."}
	case state == Unavailable:
		return Feature{state, false,
			airGapped + " With the setting features.search: local, search runs entirely inside the site."}
	}
	return Feature{state, true, "Search needs nothing outside this server."}
}

func assistant(s Setup) Feature {
	state := table["assistant"][s.Type]
	switch {
	case s.Assistant == "local" && state == Unavailable:
		return Feature{Local, true, "As configured, the assistant runs entirely inside the server."}
	case state == Unavailable:
		return Feature{state, false,
			airGapped + " With the setting features.assistant: local, the assistant runs entirely inside the server."}
	case s.Assistant == "off":
		return Feature{state, false, switchedOff}
	case s.Assistant == "local":
		return Feature{state, true, "The assistant runs entirely inside the server."}
	case s.AssistantEndpoint:
		return Feature{state, true, "A model endpoint is set."}
	case state == Available:
		return Feature{state, true,
			"No model endpoint is set (assistant.endpoint), so it quotes passages and runs entirely inside the server."}
	}
	return Feature{state, false, "No model endpoint is set (assistant.endpoint)."}
}

func analytics(s Setup) Feature {
	state := table["analytics"][s.Type]
	switch {
	case state == Unavailable:
		return Feature{state, false, airGapped}
	case s.Analytics == "off":
		return Feature{state, false, switchedOff}
	}
	return Feature{state, true, "Analytics need nothing outside this server."}
}

func playground(s Setup) Feature {
	state := table["playground"][s.Type]
	switch {
	case state == Configurable && !s.PlaygroundOrigins:
		return Feature{state, false, "No origins are allowed (playground.origins)."}
	case state == Configurable:
		return Feature{state, true, "It may call the origins that the operator allowed."}
	}
	return Feature{state, true, "It may call the APIs described on the site."}
}
