package openapi

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Channel is an AsyncAPI channel.
type Channel struct {
	Name        string // its key in the description
	Title       string
	Description string
	Address     string
	Servers     []Server
	spec        *Spec
	raw         *jsontree.Value
}

// Message is a message on a channel. Action is "send", "receive" or "", from the point of view of the application that
// provides the API.
type Message struct {
	Name, Title, Description string
	Action                   string
	Headers, Payload         *Schema // nil if not described
	Examples                 []Example
}

// maxMessages limits the messages on a channel's page, maxServers the addresses of a channel, and maxUses the
// references that are followed to determine the direction of the channel's messages.
const (
	maxMessages = 500
	maxServers  = 50
	maxUses     = 100_000
)

func (s *Spec) readChannels() {
	s.uses = map[*jsontree.Value][]*jsontree.Value{}
	for _, m := range members(s.root.Get("operations")) {
		op := s.target(m.Value)
		if channel := s.target(op.Get("channel")); channel != nil {
			s.uses[channel] = append(s.uses[channel], op)
		}
	}
	for _, m := range members(s.root.Get("channels")) {
		raw := s.target(m.Value)
		if raw == nil || len(s.Channels) == maxOperations {
			continue
		}
		c := &Channel{Name: m.Key, Title: oneLine(raw.Get("title").Text()), Description: raw.Get("description").Text(),
			Address: raw.Get("address").Text(), spec: s, raw: raw}
		if c.Title == "" {
			c.Title = c.Name
		}
		if c.Description == "" {
			c.Description = raw.Get("summary").Text()
		}
		if raw.Get("address") == nil { // AsyncAPI 2: the key is the address
			c.Address = m.Key
		}
		c.Servers = s.channelServers(raw)
		s.Channels = append(s.Channels, c)
	}
}

func (s *Spec) channelServers(raw *jsontree.Value) (out []Server) {
	list := raw.Get("servers")
	if len(items(list)) == 0 {
		list = &jsontree.Value{Kind: jsontree.List}
		for _, m := range members(s.root.Get("servers")) {
			list.Items = append(list.Items, m.Value)
		}
	}
	for _, item := range list.Items {
		v := s.target(item)
		url := v.Get("url").Text()
		if host := v.Get("host").Text(); host != "" {
			url = host + v.Get("pathname").Text()
		}
		if p := v.Get("protocol").Text(); p != "" && url != "" && !strings.Contains(url, "://") {
			url = p + "://" + url
		}
		if url != "" && len(out) < maxServers {
			out = append(out, Server{URL: strings.TrimSuffix(url, "/"),
				Description: oneLine(v.Get("description").Text())})
		}
	}
	return out
}

// findChannel returns the channel with the given name or title, or nil.
func (s *Spec) findChannel(name string) *Channel {
	for _, c := range s.Channels {
		if c.Name == name || c.Title == name {
			return c
		}
	}
	return nil
}

// Spec returns the API description that contains the channel.
func (c *Channel) Spec() *Spec { return c.spec }

// Messages reads the first maxMessages messages of the channel, in source order.
func (c *Channel) Messages() (out []Message) {
	vs, uses := newViews(c.spec), maxUses
	for _, m := range members(c.raw.Get("messages")) {
		if len(out) == maxMessages {
			break
		}
		out = append(out, vs.message(m.Key, m.Value, c.action(c.spec.target(m.Value), &uses)))
	}
	for _, key := range []string{"subscribe", "publish"} { // AsyncAPI 2, which takes the client's point of view
		raw := c.spec.target(c.raw.Get(key).Get("message"))
		list := items(raw.Get("oneOf"))
		if raw != nil && list == nil {
			list = []*jsontree.Value{raw}
		}
		for _, m := range list[:min(len(list), maxMessages-len(out))] {
			out = append(out, vs.message(refName(m), m,
				map[string]string{"subscribe": "send", "publish": "receive"}[key]))
		}
	}
	return out
}

// action returns what the operations in the description do with a message on this channel: "send", "receive", or "" for
// both or neither. left is the number of references that it may still follow.
func (c *Channel) action(message *jsontree.Value, left *int) string {
	found := ""
	for _, op := range c.spec.uses[c.raw] {
		uses := op.Get("messages") == nil
		for _, ref := range items(op.Get("messages")) {
			if *left--; uses || *left < 0 {
				break
			}
			uses = c.spec.target(ref) == message
		}
		if action := op.Get("action").Text(); uses && found == "" {
			found = action
		} else if uses && found != action {
			return "" // both directions
		}
	}
	return found
}

func (vs *views) message(name string, raw *jsontree.Value, action string) Message {
	raw = vs.spec.target(raw)
	m := Message{Name: name, Title: oneLine(raw.Get("title").Text()), Description: raw.Get("description").Text(),
		Action: action}
	if m.Name == "" {
		m.Name = raw.Get("name").Text()
	}
	if m.Title == "" {
		m.Title = m.Name
	}
	if m.Description == "" {
		m.Description = raw.Get("summary").Text()
	}
	if p := raw.Get("payload"); p != nil {
		// a schema inside an object that names its format
		if inner := vs.spec.target(p).Get("schema"); inner.Is(jsontree.Object) && p.Get("type") == nil {
			p = inner
		}
		m.Payload = vs.schema(p)
	}
	if h := raw.Get("headers"); h != nil {
		m.Headers = vs.schema(h)
	}
	for _, e := range items(raw.Get("examples")) {
		if !vs.part() {
			break
		}
		if v := e.Get("payload"); v != nil {
			m.Examples = append(m.Examples,
				Example{Name: e.Get("name").Text(), Summary: oneLine(e.Get("summary").Text()), Value: v})
		}
	}
	return m
}
