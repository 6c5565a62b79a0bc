package component

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Sizes of the parts of a sequence diagram in CSS pixels, fitted to the output of the drawing script for 70 diagrams
// from real sites. For nine of ten diagrams, the estimate is within 7% of the height and 20% of the width.
const (
	sequenceHead    = 195 // the names at the top and bottom, and margins
	sequenceMessage = 46
	sequenceSelf    = 80 // a message from a participant to itself
	sequenceNote    = 55
	sequenceBlock   = 85 // loop, alt and similar
	sequenceElse    = 45
	sequenceLine    = 20 // each additional line of a text
	sequenceActor   = 150
	sequenceGap     = 50
	sequenceLetter  = 8
	sequenceColumn  = 688 // maximum width of a drawing on a page
	sequenceScreen  = 81  // the same on a phone, in percent of the screen width
	sequencePadding = 34  // around a drawing
	sequenceButtons = 28  // for the buttons below a drawing, on a touch screen
)

var (
	sequenceStart = lazyregexp.New(`(?m)^\s*sequenceDiagram\b`)
	sequenceArrow = lazyregexp.New(`^([^<:]+?)\s*(?:<<)?--?(?:>>|>|x|\))\s*[+-]?\s*([^:]+?)\s*(?::(.*))?$`)
	lineBreak     = lazyregexp.New(`<br\s*/?>`)
)

// sequenceRoom returns the expected height of a sequence diagram as a CSS length, or "" for other diagrams. The source
// of a sequence diagram is only half as high as the drawing, so without a reserved height the page would jump when the
// drawing replaces the source. For other diagrams, both are about equally high.
func sequenceRoom(source string) string {
	if !sequenceStart.MatchString(source) {
		return ""
	}
	d := sequence{index: map[string]int{}}
	for line := range strings.Lines(source) {
		d.add(line)
	}
	width, height := d.size()
	if width == 0 {
		return ""
	}
	share := height / width
	return fmt.Sprintf("min(%.0fpx, calc(%.0fvw + %dpx))",
		min(height, sequenceColumn*share)+sequencePadding, sequenceScreen*share, sequencePadding+sequenceButtons)
}

// sequence estimates the size of a diagram.
type sequence struct {
	index  map[string]int // index of each participant
	names  []string       // displayed names
	gaps   []float64      // minimum distance of each participant to the next, for its messages
	height float64
}

func (d *sequence) add(line string) {
	line, _, _ = strings.Cut(line, "%%")
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	further := float64(sequenceLine * len(lineBreak.FindAllString(line, -1)))
	switch strings.ToLower(word) {
	case "participant", "actor":
		id, name, named := strings.Cut(rest, " as ")
		if !named {
			name = id
		}
		d.names[d.participant(id)] = strings.TrimSpace(name)
	case "note":
		d.height += sequenceNote + further
	case "loop", "alt", "opt", "par", "critical", "break":
		d.height += sequenceBlock
	case "else", "and", "option":
		d.height += sequenceElse
	default:
		if m := sequenceArrow.FindStringSubmatch(line); m != nil {
			d.height += further
			d.message(d.participant(m[1]), d.participant(m[2]), m[3])
		}
	}
}

// participant returns the index of a participant, which is assigned at the first mention.
func (d *sequence) participant(id string) int {
	id = strings.TrimSpace(id)
	i, known := d.index[id]
	if !known {
		i = len(d.names)
		d.index[id], d.names, d.gaps = i, append(d.names, id), append(d.gaps, 0)
	}
	return i
}

func (d *sequence) message(from, to int, text string) {
	if from == to {
		d.height += sequenceSelf
		return
	}
	d.height += sequenceMessage
	if left := min(from, to); max(from, to) == left+1 {
		d.gaps[left] = max(d.gaps[left], textWidth(text)+sequenceGap)
	}
}

// size returns the width and height of the drawing. Both are zero if there are no participants.
func (d *sequence) size() (width, height float64) {
	if len(d.names) == 0 {
		return 0, 0
	}
	width = 2 * sequenceGap // margins
	for i, name := range d.names {
		own := max(sequenceActor, textWidth(name))
		if i+1 == len(d.names) {
			width += own
			break
		}
		width += max(own+sequenceGap, d.gaps[i])
	}
	return width, sequenceHead + d.height
}

// textWidth returns the width of a text's longest line.
func textWidth(text string) (widest float64) {
	for _, line := range lineBreak.Split(text, -1) {
		widest = max(widest, sequenceLetter*float64(len([]rune(strings.TrimSpace(line)))))
	}
	return widest
}
