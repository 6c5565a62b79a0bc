package audience

import (
	"strings"
	"sync"
)

// Reader is what a User-Agent says about who reads.
type Reader struct {
	Class   Class // "" = a program that reads nothing and is not counted
	Library bool  // it named a library and not itself: its class follows from what it reads
}

// Read returns the class for a request of a file. A library that requests a page's text instead of the page works for a
// model.
func (r Reader) Read(file string) Class {
	if r.Library && (strings.HasSuffix(file, ".md") || strings.HasSuffix(file, ".txt")) {
		return Agent
	}
	return r.Class
}

// Classifier classifies readers by user agent. It caches results, since few user agents are used by many, and is safe
// for concurrent use.
type Classifier struct {
	list []program
	mu   sync.RWMutex
	seen map[string]Reader
}

const (
	maxSeen  = 4096 // names remembered; with more it begins again
	maxAgent = 512  // bytes of a name that are looked at
)

// NewClassifier returns a classifier with an empty cache.
func NewClassifier() *Classifier { return &Classifier{list: programs(), seen: map[string]Reader{}} }

// Find says who reads with this User-Agent. Browsers are human, and so is everything that calls itself one.
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
		if p.class == OtherBot && p.word == "node" && name != "node" { // the whole name; many words begin so
			continue
		}
		if strings.Contains(name, p.word) {
			return Reader{Class: p.class, Library: p.class == OtherBot}
		}
	}
	if !strings.HasPrefix(name, "mozilla/") && !strings.HasPrefix(name, "opera/") {
		return Reader{Class: OtherBot, Library: true} // browsers call themselves so since ever
	}
	return Reader{Class: Human}
}
