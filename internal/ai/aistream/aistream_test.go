package aistream_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/aistream"
)

// The parts have the form that the AI SDK documents for its UI message stream.
func TestAnswerHasDocumentedParts(t *testing.T) {
	var b bytes.Buffer
	w := aistream.NewWriter(&b, aistream.UIMessages)
	for _, err := range []error{w.Start("msg_1", aistream.Thread{ThreadID: "thr_1", Mode: "model"}), w.Text("Hello "),
		w.Beat(), w.Text(""), w.Text("<b> & \u2028[1]"), w.Source("1", "/a#b", "A"), w.Finish()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `data: {"type":"start","messageId":"msg_1"}

data: {"type":"data-thread","data":{"threadId":"thr_1","mode":"model"}}

data: {"type":"text-start","id":"t1"}

data: {"type":"text-delta","id":"t1","delta":"Hello "}

: still here

data: {"type":"text-delta","id":"t1","delta":"<b> & \u2028[1]"}

data: {"type":"text-end","id":"t1"}

data: {"type":"source-url","sourceId":"1","url":"/a#b","title":"A"}

data: {"type":"finish","messageMetadata":{"threadId":"thr_1"}}

data: [DONE]

`
	if b.String() != want {
		t.Errorf("wrote\n%s", b.String())
	}
	a, err := aistream.ReadAll(&b)
	if err != nil || a.Text != "Hello <b> & \u2028[1]" || a.MessageID != "msg_1" || a.Thread.ThreadID != "thr_1" ||
		len(a.Sources) != 1 || a.Deltas != 2 || a.Error != "" {
		t.Errorf("%+v %v", a, err)
	}
}

// The parts have the form that version 4 of the AI SDK reads as its data stream.
func TestOlderClientGetsDataParts(t *testing.T) {
	var b bytes.Buffer
	w := aistream.NewWriter(&b, aistream.DataParts)
	for _, err := range []error{w.Start("msg_1", aistream.Thread{ThreadID: "thr_1", Mode: "local"}), w.Text("Hello "),
		w.Beat(),
		w.Text("<b>\n\u2028"), w.Source("1", "/a?b&c#d", "A"), w.Finish()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `f:{"messageId":"msg_1"}
2:[{"type":"thread","threadId":"thr_1","mode":"local"}]
0:"Hello "

0:"<b>\n\u2028"
h:{"sourceType":"url","id":"1","url":"/a?b&c#d","title":"A"}
e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}
d:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"threadId":"thr_1"}
`
	if b.String() != want {
		t.Errorf("wrote\n%s", b.String())
	}
	b.Reset()
	w = aistream.NewWriter(&b, aistream.DataParts)
	_, _, _ = w.Begin("m"), w.Text("half"), w.Fail("The model is not available.")
	if want := `f:{"messageId":"m"}
0:"half"
3:"The model is not available."
d:{"finishReason":"error","usage":{"promptTokens":0,"completionTokens":0}}
`; b.String() != want {
		t.Errorf("wrote\n%s", b.String())
	}
}

func TestTextAndDataAreSeparateParts(t *testing.T) {
	var b bytes.Buffer
	w := aistream.NewWriter(&b, aistream.UIMessages)
	for _, err := range []error{w.Begin("aj_1"), w.Text("one"), w.EndText(), w.EndText(), w.Text("two"),
		w.Data("job", map[string]int{"n": 1}), w.Finish()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Split(b.String(), "\n\n"); len(got) != 11 || got[1] != `data: {"type":"text-start","id":"t1"}` ||
		got[4] != `data: {"type":"text-start","id":"t2"}` || got[7] != `data: {"type":"data-job","data":{"n":1}}` ||
		got[8] != `data: {"type":"finish"}` {
		t.Errorf("wrote\n%s", b.String())
	}
}

func TestFailureClosesOpenText(t *testing.T) {
	var b bytes.Buffer
	w := aistream.NewWriter(&b, aistream.UIMessages)
	_, _, _ = w.Start("m", aistream.Thread{ThreadID: "t"}), w.Text("half"), w.Fail("The model is not available.")
	a, err := aistream.ReadAll(&b)
	if err != nil || a.Text != "half" || a.Error != "The model is not available." {
		t.Errorf("%+v %v", a, err)
	}
}

func TestInvalidStreamsAreRefused(t *testing.T) {
	const start = `data: {"type":"start","messageId":"m"}` + "\n\n"
	for name, text := range map[string]string{
		"empty": "", "no end": start + "data: {\"type\":\"finish\"}\n\n", "no finish": start + "data: [DONE]\n\n",
		"text is open": start + `data: {"type":"text-start","id":"t"}` +
			"\n\ndata: {\"type\":\"finish\"}\n\ndata: [DONE]\n\n",
		"delta of none":    start + `data: {"type":"text-delta","id":"t","delta":"x"}` + "\n\n",
		"unknown type":     start + `data: {"type":"text","text":"x"}` + "\n\n",
		"unknown field":    start + `data: {"type":"finish","colour":1}` + "\n\n",
		"after the finish": start + "data: {\"type\":\"finish\"}\n\n" + `data: {"type":"text-start","id":"t"}` + "\n\n",
		"other events":     "event: x\n\n",
	} {
		if a, err := aistream.ReadAll(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func FuzzReadAll(f *testing.F) {
	f.Add([]byte("data: {\"type\":\"start\",\"messageId\":\"m\"}\n\ndata: {\"type\":\"finish\"}\n\ndata: [DONE]\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := aistream.ReadAll(bytes.NewReader(raw))
		if err == nil && a.MessageID == "" {
			t.Errorf("a stream without a beginning: %q", raw)
		}
	})
}
