package assistant

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

// speech is an answer that is being sent to its reader.
type speech struct {
	retrieved *retrieval
	emit      func(string) error
	clean     *cleaner
	text      strings.Builder // text that was emitted

	// the search found nothing for the question: the model's text is held back until it cites a passage
	held bool
	back strings.Builder // text that was held back

	head    string            // start of the model's text, until it is clear whether the model declines to answer
	decided bool              // it is clear
	heard   bool              // the model has sent text since the last request
	verdict conversation.Type // Answered, unless the model declined
	said    int               // bytes of the model's text
	usage   llm.Usage
	model   string
}

// pass emits text and records it.
func (t *speech) pass(s string) error {
	if err := t.emit(s); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	t.text.WriteString(s)
	return nil
}

// out forwards the model's text, or holds it back.
func (t *speech) out(s string) error {
	if t.held {
		t.back.WriteString(s)
		return nil
	}
	return t.pass(s)
}

// begin prepares for the model's next text.
func (t *speech) begin() {
	if t.text.Len()+t.back.Len() > 0 || t.clean.pending != "" {
		t.clean.write("\n\n")
	}
	t.head, t.decided, t.heard, t.said, t.verdict = "", false, false, 0, conversation.Answered
}

// count adds the cost of a request of the given size in bytes. A request that failed after some text arrived is
// estimated at four bytes per token.
func (t *speech) count(ans llm.Completion, size int) {
	if ans.Model != "" {
		t.model = ans.Model
	}
	if ans.Usage == (llm.Usage{}) && t.heard {
		ans.Usage = llm.Usage{Input: int64(size / 4), Output: int64(t.said / 4)}
	}
	t.usage = t.usage.Add(ans.Usage)
}

// receive handles a piece of the model's text. The first bytes are buffered, because they may be a refusal.
func (t *speech) receive(piece string) {
	t.heard = t.heard || piece != ""
	t.said += len(piece)
	if t.decided {
		t.clean.write(piece)
		return
	}
	t.head += piece
	head := strings.TrimLeft(t.head, " \t\r\n")
	for says, verdict := range map[string]conversation.Type{saysUnanswered: conversation.Unanswered,
		saysOffTopic: conversation.Refused} {
		if rest, ok := strings.CutPrefix(head, says); ok {
			t.decided, t.verdict = true, verdict
			t.clean.write(strings.TrimLeft(rest, " \t\r\n"))
			return
		}
		if strings.HasPrefix(says, head) {
			return
		}
	}
	t.decided = true
	t.clean.write(head)
}

// ended returns the result of a complete answer.
func (t *speech) ended(stop llm.Stop) Result {
	if !t.decided {
		t.decided = true
		t.clean.write(strings.TrimLeft(t.head, " \t\r\n"))
	}
	t.clean.end()
	if t.clean.err != nil {
		return t.broken(nil)
	}
	if stop == llm.Refused {
		t.verdict = conversation.Refused
	}
	if t.held {
		return t.release("")
	}
	if strings.TrimSpace(t.text.String()) == "" {
		return t.nothing()
	}
	return t.result(t.counted(), nil)
}

// counted returns the answer's type for statistics. An answer without a citation counts as Unanswered, whatever the
// model says.
func (t *speech) counted() conversation.Type {
	if t.verdict == conversation.Answered && len(t.retrieved.cited) == 0 {
		return conversation.Unanswered
	}
	return t.verdict
}

// release ends an answer that was held back, with end appended, and sends it if it cites a passage.
func (t *speech) release(end string) Result {
	if t.counted() == conversation.Answered && strings.TrimSpace(t.back.String()) != "" {
		return t.endWith(conversation.Answered, t.back.String()+end)
	}
	t.retrieved.cited = nil
	return t.nothing()
}

// nothing ends an answer in which the model sent no usable text.
func (t *speech) nothing() Result {
	if t.verdict == conversation.Refused {
		return t.endWith(t.verdict, offTopic)
	}
	return t.endWith(conversation.Unanswered, foundNothing)
}

// broken returns the result of an answer that failed.
func (t *speech) broken(err error) Result {
	if errors.Is(t.clean.err, errFull) {
		end := t.clean.fenceEnd()
		if end += " …"; t.held {
			return t.release(end)
		}
		return t.endWith(t.counted(), end)
	}
	if t.held {
		t.retrieved.cited = nil
	}
	switch {
	case errors.Is(t.clean.err, errLeak) && t.text.Len() == 0:
		return t.endWith(conversation.Refused, offTopic)
	case errors.Is(t.clean.err, errLeak):
		return t.endWith(conversation.Refused, "\n\n"+offTopic)
	case t.clean.err != nil:
		err = t.clean.err
	default:
		t.clean.end() // send the reader what has arrived
	}
	r := t.result(conversation.Failed, err)
	if r.gone() && t.text.Len() > 0 {
		r.Type = conversation.Answered
	}
	return r
}

// endWith ends an answer with a fixed sentence.
func (t *speech) endWith(kind conversation.Type, sentence string) Result {
	return t.result(kind, t.pass(sentence))
}

func (t *speech) failed(err error) Result { return t.result(conversation.Failed, err) }

func (t *speech) result(kind conversation.Type, err error) Result {
	return Result{Type: kind, Text: t.text.String(), Sources: t.retrieved.sources(), Model: t.model, Usage: t.usage,
		Err: err}
}
