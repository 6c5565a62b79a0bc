package component

import (
	"fmt"
	"regexp"
	"strings"
)

// Sizes of the parts of a sequence diagram in CSS pixels, as the drawing script makes them: fitted to 70 diagrams of real
// sites, nine of ten within 7% in height and 20% in width.
const (
	sequenceHead    = 195 // the names above and below, and margins
	sequenceMessage = 46
	sequenceSelf    = 80 // a message of a participant to itself
	sequenceNote    = 55
	sequenceBlock   = 85 // loop, alt and the like
	sequenceElse    = 45
	sequenceLine    = 20 // each further line of a text
	sequenceActor   = 150
	sequenceGap     = 50
	sequenceLetter  = 8
	sequenceColumn  = 688 // the widest place for a drawing on a page …
	sequenceScreen  = 81  // … and its share of a phone's width, in percent
	sequencePadding = 34  // around a drawing …
	sequenceButtons = 28  // … and below it for its buttons, on a touch screen
)

var (
	sequenceStart = regexp.MustCompile(`(?m)^\s*sequenceDiagram\b`)
	sequenceArrow = regexp.MustCompile(`^([^<:]+?)\s*(?:<<)?--?(?:>>|>|x|\))\s*[+-]?\s*([^:]+?)\s*(?::(.*))?$`)
	lineBreak     = regexp.MustCompile(`<br\s*/?>`)
)

// sequenceRoom returns the CSS length that a sequence diagram will have in height; "" for other diagrams. Their sources
// are about as high as their drawings; that of a sequence is half as high, so the page would move when it is drawn.
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

// sequence is what is known of a diagram's size.
type sequence struct {
	index  map[string]int // of participants
	names  []string       // as they are shown
	gaps   []float64      // the least distance of each participant to the next, as its messages need it
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

// participant returns the place of a participant, which its first mention gives it.
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

// size returns width and height of the drawing; zero for one without participants.
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

// textWidth returns the width of the longest line of a text.
func textWidth(text string) (widest float64) {
	for _, line := range lineBreak.Split(text, -1) {
		widest = max(widest, sequenceLetter*float64(len([]rune(strings.TrimSpace(line)))))
	}
	return widest
}
