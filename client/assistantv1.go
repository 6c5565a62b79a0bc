package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// AskAssistantV1 works like AskAssistant but reads the stream format of AI SDK 4. Parts have the same types: start,
// data-thread, text-delta, source-url and finish. New programs should use AskAssistant.
func (c *Client) AskAssistantV1(ctx context.Context, domain string, in AskAssistant,
	hear func(AssistantPart) error) error {
	asked := askAssistantV1Call(domain, in)
	asked.header = http.Header{"Accept": {"text/plain"}}
	resp, err := c.send(ctx, asked)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxLine)
	for ended := false; ; {
		if !lines.Scan() {
			err := lines.Err()
			if err == nil && !ended {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return fmt.Errorf("read answer: %w", err)
			}
			return nil
		}
		p, err := dataPart(lines.Bytes())
		if err == nil && p.Type != "" {
			ended = ended || p.Type == "finish"
			err = hear(p)
		}
		if err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
	}
}

// dataPart parses a line of the stream: a code, a colon and a JSON value. It returns the zero part for codes that it
// ignores.
func dataPart(line []byte) (p AssistantPart, err error) {
	if len(line) == 0 {
		return p, nil
	}
	if len(line) < 2 || line[1] != ':' {
		return p, errors.New("decode part: the line has no code")
	}
	value := line[2:]
	switch line[0] {
	case 'f':
		p.Type = "start"
		err = json.Unmarshal(value, &p)
	case '2':
		var list []AssistantThread
		if err = json.Unmarshal(value, &list); err == nil && len(list) > 0 {
			p.Type, p.Data = "data-thread", &list[0]
		}
	case '0':
		p.Type = "text-delta"
		err = json.Unmarshal(value, &p.Delta)
	case 'h':
		var source struct{ ID, URL, Title string }
		err = json.Unmarshal(value, &source)
		p = AssistantPart{Type: "source-url", SourceID: source.ID, URL: source.URL, Title: source.Title}
	case '3':
		var sentence string
		if err = json.Unmarshal(value, &sentence); err == nil {
			err = errors.New(sentence)
		}
		return p, err
	case 'd':
		p.Type = "finish"
	}
	if err != nil {
		return p, fmt.Errorf("decode part: %w", err)
	}
	return p, nil
}
