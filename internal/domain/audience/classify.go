package audience

import (
	"strings"
	"sync"
)

// Reader is what the User-Agent says about a reader.
type Reader struct {
	Class   Class // "" = a program that does not read and is not counted
	Library bool  // it sent the name of an HTTP library instead of its own; its class depends on the requested file
}

// Read returns the reader's class for a request for file. A library that requests the text of a page instead of the
// page is assumed to work for a model.
func (r Reader) Read(file string) Class {
	if r.Library && (strings.HasSuffix(file, ".md") || strings.HasSuffix(file, ".txt")) {
		return Agent
	}
	return r.Class
}

// Classifier classifies readers by User-Agent. It caches results, since many readers share few User-Agents. It is
// safe for concurrent use.
type Classifier struct {
	list []program
	mu   sync.RWMutex
	seen map[string]Reader
}

const (
	maxSeen  = 4096 // cached User-Agents; above it, the cache is cleared
	maxAgent = 512  // bytes of a User-Agent that are examined
)

// NewClassifier returns a classifier with an empty cache.
func NewClassifier() *Classifier { return &Classifier{list: programs(), seen: map[string]Reader{}} }

// Find classifies a User-Agent. Browsers count as human, and so does everything that claims to be a browser.
func (c *Classifier) Find(agent string) Reader {
	if len(agent) > maxAgent {
		agent = agent[:maxAgent]
	}
	c.mu.RLock()
	r, ok := c.seen[agent]
	c.mu.RUnlock()
	if ok {
		return r
	}
	r = c.classify(agent)
	c.mu.Lock()
	if len(c.seen) >= maxSeen {
		clear(c.seen)
	}
	c.seen[strings.Clone(agent)] = r
	c.mu.Unlock()
	return r
}

func (c *Classifier) classify(agent string) Reader {
	name := strings.ToLower(agent)
	for _, p := range c.list {
		if p.class == OtherBot && p.word == "node" && name != "node" { // compare the whole name, because many words start with "node"
			continue
		}
		if strings.Contains(name, p.word) {
			return Reader{Class: p.class, Library: p.class == OtherBot}
		}
	}
	if !strings.HasPrefix(name, "mozilla/") && !strings.HasPrefix(name, "opera/") {
		return Reader{Class: OtherBot, Library: true} // for historical reasons, browsers use this name
	}
	return Reader{Class: Human}
}
