package conversation_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
)

func TestTextIsCutAtCharacterBoundary(t *testing.T) {
	e := conversation.Exchange{Question: strings.Repeat("ü", conversation.MaxQuestion+5), Answer: "short",
		Sources: make([]conversation.Source, 60)}.Bound()
	if utf8.RuneCountInString(e.Question) != conversation.MaxQuestion || !utf8.ValidString(e.Question) ||
		e.Answer != "short" || len(e.Sources) != conversation.MaxSources {
		t.Errorf("%d characters, %q, %d sources", utf8.RuneCountInString(e.Question), e.Answer, len(e.Sources))
	}
}

func TestReaderRatingOverridesAnswerType(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		kind    conversation.Type
		helpful *bool
		want    conversation.Resolution
	}{
		{conversation.Answered, nil, conversation.Unknown}, {conversation.Answered, &no, conversation.Unresolved},
		{conversation.Unanswered, nil, conversation.Unresolved},
		{conversation.Unanswered, &yes, conversation.Resolved}, {conversation.Failed, nil, conversation.Unresolved},
		{conversation.Refused, nil, conversation.Unknown}, {conversation.Answered, &yes, conversation.Resolved},
	} {
		if got := (conversation.Exchange{Type: c.kind, Helpful: c.helpful}).Resolution(); got != c.want {
			t.Errorf("%s %v: %s", c.kind, c.helpful, got)
		}
	}
}

func TestLocalAnswersOfEarlierReleasesCountAsAnswered(t *testing.T) {
	for stored, want := range map[string]conversation.Type{"local": conversation.Answered,
		"answered": conversation.Answered, "refused": conversation.Refused} {
		if got := conversation.ParseType(stored); got != want {
			t.Errorf("%s: %s", stored, got)
		}
	}
}
