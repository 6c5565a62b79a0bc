package skill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Skill is a skill that the site publishes.
type Skill struct {
	Name, Description string
	URL               string // of its SKILL.md
	Files             []string
	Data              []byte // of its SKILL.md
}

// Index returns the list of skills without digests, in the first version of the format.
func Index(skills []Skill) []byte {
	type entry struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Files       []string `json:"files"`
	}
	list := make([]entry, len(skills))
	for i, s := range skills {
		list[i] = entry{s.Name, s.Description, s.Files}
	}
	return encode(map[string]any{"skills": list})
}

// Digests returns the list of skills with the address and the SHA-256 digest of each.
func Digests(skills []Skill) []byte {
	type entry struct {
		Name        string `json:"name"`
		Type        string `json:"type"`
		Description string `json:"description"`
		URL         string `json:"url"`
		Digest      string `json:"digest"`
	}
	list := make([]entry, len(skills))
	for i, s := range skills {
		sum := sha256.Sum256(s.Data)
		list[i] = entry{s.Name, "skill-md", s.Description, s.URL, "sha256:" + hex.EncodeToString(sum[:])}
	}
	return encode(struct {
		Schema string  `json:"$schema"`
		Skills []entry `json:"skills"`
	}{"https://schemas.agentskills.io/discovery/0.2.0/schema.json", list})
}

// Card returns the agent card of A2A 0.3, with the skills and the endpoint of this site.
func (s Site) Card(version string) []byte {
	type capability struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
	}
	skills := []capability{{
		"read-documentation", "Read the documentation of " + s.Name,
		"Pages as Markdown: add .md to the address of a page. " + s.Llms + " lists them.", []string{"documentation"},
	}}
	if s.MCP != "" {
		skills = append(skills, capability{
			"search-documentation", "Search the documentation of " + s.Name,
			"An MCP server at " + s.MCP + " searches the pages.", []string{"documentation", "search", "mcp"},
		})
	}
	return encode(struct {
		Protocol     string          `json:"protocolVersion"`
		Name         string          `json:"name"`
		Description  string          `json:"description"`
		URL          string          `json:"url"`
		Transport    string          `json:"preferredTransport"`
		Version      string          `json:"version"`
		DocsURL      string          `json:"documentationUrl"`
		Capabilities map[string]bool `json:"capabilities"`
		In           []string        `json:"defaultInputModes"`
		Out          []string        `json:"defaultOutputModes"`
		Skills       []capability    `json:"skills"`
	}{
		"0.3.0", s.Name, s.Describe(), s.URL, "HTTP+JSON", version, s.URL,
		map[string]bool{"streaming": false, "pushNotifications": false},
		[]string{"text/plain"}, []string{"text/markdown", "text/plain"}, skills,
	})
}

// API describes an API. Anchor is its address; Description and Docs are the addresses of its description and
// documentation.
type API struct{ Anchor, Title, Description, Type, Docs string }

// Catalog returns the linkset of RFC 9727, with the addresses of the description and the documentation of each API.
func Catalog(self string, apis []API) []byte {
	type target struct {
		Href  string `json:"href"`
		Type  string `json:"type,omitempty"`
		Title string `json:"title,omitempty"`
	}
	type set struct {
		Anchor string   `json:"anchor"`
		Item   []target `json:"item,omitempty"`
		Desc   []target `json:"service-desc,omitempty"`
		Doc    []target `json:"service-doc,omitempty"`
	}
	list := []set{{Anchor: self}}
	for _, a := range apis {
		list[0].Item = append(list[0].Item, target{Href: a.Anchor, Title: a.Title})
		entry := set{Anchor: a.Anchor, Desc: []target{{Href: a.Description, Type: a.Type, Title: a.Title}}}
		if a.Docs != "" {
			entry.Doc = []target{{Href: a.Docs, Type: "text/html"}}
		}
		list = append(list, entry)
	}
	return encode(map[string]any{"linkset": list})
}

// MCPCard returns a card with the address of the site's MCP server.
func (s Site) MCPCard(version string) []byte {
	type remote struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	return encode(struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Version     string   `json:"version"`
		Remotes     []remote `json:"remotes"`
	}{Name(s.Name), s.Describe(), version, []remote{{"streamable-http", s.MCP}}})
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // plain values can always be encoded
	return b.Bytes()
}
