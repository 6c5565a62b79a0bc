package apipage

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

func (p *Page) channelBar(w *component.Writer) {
	if p.channel == nil {
		return
	}
	protocol, server := "WSS", ""
	if len(p.channel.Servers) > 0 {
		server = p.channel.Servers[0].URL
		if scheme, _, ok := strings.Cut(server, "://"); ok {
			protocol = strings.ToUpper(scheme)
		}
	}
	w.Raw(`<div class="api-bar" data-platform>`)
	method(w, protocol)
	w.Raw(`<code class="api-url"><span class="api-server">`)
	w.Text(server)
	w.Raw(`</span>`)
	address(w, p.channel.Address)
	w.Raw(`</code></div>`)
	if len(p.channel.Servers) > 1 {
		serverList(w, p.channel.Servers)
	}
	w.Raw("\n")
}

// channelBody writes the channel's messages. Their titles take the reader's point of view: a message that the
// application sends has the title "Receive".
func (p *Page) channelBody(w *component.Writer) {
	var examples []block
	for _, m := range p.messages {
		if p.stopped(w.Len()) {
			return
		}
		title := m.Title
		switch m.Action {
		case "send":
			title = "Receive: " + title
		case "receive":
			title = "Send: " + title
		}
		heading(w, title, "")
		p.prose(w, m.Description)
		id := "message-" + dashed(m.Name)
		if m.Headers != nil {
			w.Raw(`<p class="api-part">Headers</p>`)
			p.root(w, m.Headers, id+"-headers")
		}
		if m.Payload == nil {
			continue
		}
		p.root(w, m.Payload, id)
		if len(examples) >= maxBlocks {
			continue
		}
		v := m.Payload.Sample(openapi.Anything, false)
		if len(m.Examples) > 0 {
			v = m.Examples[0].Value
		}
		examples = append(examples, block{"json", m.Title, v.JSON()})
	}
	if !p.in.OwnResponse {
		beside(w, "ResponseExample", limit(examples))
	}
}
