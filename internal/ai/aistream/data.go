package aistream

import (
	"bytes"
	"fmt"
)

// DataHeader and DataContentType are the headers of a response in the form DataParts.
const (
	DataHeader      = "x-vercel-ai-data-stream"
	DataContentType = "text/plain; charset=utf-8"
)

// dataUsage is required at the end of a response in this form. Clients show it to readers, but the cost of an answer
// concerns only the operator, so it stays zero.
type dataUsage struct {
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`
}

type dataStart struct {
	MessageID string `json:"messageId"`
}

type dataThread struct {
	Type string `json:"type"`
	Thread
}

type dataSource struct {
	SourceType string `json:"sourceType"`
	ID         string `json:"id"`
	URL        string `json:"url"`
	Title      string `json:"title,omitempty"`
}

type dataFinish struct {
	FinishReason string    `json:"finishReason"`
	Usage        dataUsage `json:"usage"`
	IsContinued  *bool     `json:"isContinued,omitempty"` // of a step
	ThreadID     string    `json:"threadId,omitempty"`    // of the message
}

// putData writes a part in the format of AI SDK 4: a code, a colon, a JSON value, a line feed. Parts that only open
// or close a text have no counterpart.
func (w *Writer) putData(p Part) error {
	var lines bytes.Buffer
	add := func(code byte, value any) error {
		raw, err := encode(value)
		if err == nil {
			fmt.Fprintf(&lines, "%c:%s\n", code, raw)
		}
		return err
	}
	var err error
	switch p.Type {
	case "start":
		err = add('f', dataStart{p.MessageID})
	case "data-thread":
		err = add('2', []dataThread{{"thread", *p.Data}})
	case "text-delta":
		err = add('0', p.Delta)
	case "source-url":
		err = add('h', dataSource{"url", p.SourceID, p.URL, p.Title})
	case "error":
		if err = add('3', p.ErrorText); err == nil {
			err = add('d', dataFinish{FinishReason: "error", ThreadID: w.threadID})
		}
	case "finish":
		if err = add('e', dataFinish{FinishReason: "stop", IsContinued: new(bool)}); err == nil {
			err = add('d', dataFinish{FinishReason: "stop", ThreadID: w.threadID})
		}
	}
	if err != nil || lines.Len() == 0 {
		return err
	}
	return w.write(lines.Bytes())
}
