package score

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// mcpServer performs the first steps of the protocol: initialize, then the list of tools.
func mcpServer(ctx context.Context, p *probe) outcome {
	rel, from := p.mcpAddress(ctx)
	o := outcome{evidence: []string{"address " + rel + " " + from}}
	var hello struct {
		ServerInfo struct{ Name, Version string }
	}
	const us = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lectern-score","version":"1"}}`
	session, err := p.rpc(ctx, rel, "", "initialize", us, &hello)
	if err != nil || hello.ServerInfo.Name == "" {
		o.evidence = append(o.evidence, fmt.Sprintf("initialize: %v", orNothing(err)))
		return o
	}
	o.share = 0.5
	var list struct {
		Tools []struct{ Name string }
	}
	if _, err := p.rpc(ctx, rel, session, "tools/list", `{}`, &list); err != nil || len(list.Tools) == 0 {
		o.evidence = append(o.evidence, fmt.Sprintf("tools/list: %v", orNothing(err)))
		return o
	}
	o.share = 1
	names := make([]string, len(list.Tools))
	for i, t := range list.Tools {
		names[i] = t.Name
	}
	o.evidence = append(o.evidence, hello.ServerInfo.Name+" has the tools "+strings.Join(names, ", "))
	return o
}

func orNothing(err error) any {
	if err == nil {
		return "an empty answer"
	}
	return err
}

// mcpAddress returns the address of the server in the site's card, or the default address.
func (p *probe) mcpAddress(ctx context.Context) (rel, from string) {
	for _, card := range []string{"/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/.well-known/mcp"} {
		a := p.get(ctx, card)
		var doc struct {
			URL     string
			Remotes []struct{ URL string }
		}
		if a.Status != http.StatusOK || json.Unmarshal(a.Body, &doc) != nil {
			continue
		}
		if len(doc.Remotes) > 0 {
			doc.URL = doc.Remotes[0].URL
		}
		if at, ok := p.below(doc.URL); ok && doc.URL != "" {
			return at, "as " + card + " says"
		}
	}
	return "/mcp", "because no server card lists another"
}

// rpc makes one call. The response may be JSON or the first event of a stream.
func (p *probe) rpc(ctx context.Context, rel, session, method, params string, into any) (string, error) {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if session != "" {
		h.Set("Mcp-Session-Id", session)
	}
	if method != "initialize" {
		h.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	message := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	a, err := p.do(ctx, Request{Method: http.MethodPost, URL: p.at(rel), Header: h, Body: message})
	if err != nil {
		return "", err
	}
	if a.Status != http.StatusOK {
		return "", fmt.Errorf("status %d", a.Status)
	}
	body := a.Body
	if a.kind() == "text/event-stream" {
		for line := range bytes.Lines(body) {
			if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(data)) > 0 {
				body = data
				break
			}
		}
	}
	var reply struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return "", err
	}
	if reply.Error != nil {
		return "", fmt.Errorf("error %q", reply.Error.Message)
	}
	return a.Header.Get("Mcp-Session-Id"), json.Unmarshal(reply.Result, into)
}
