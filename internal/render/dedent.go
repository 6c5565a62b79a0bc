package render

import "bytes"

// dedent moves the children of tags left by the indentation that their nesting added, so that Markdown does not read it. The first
// line inside a tag tells how much that is. src and out have the same lines; depths says how many tags were open at each. Lines lose markers that nest too deep.
func dedent(src, out []byte, depths []int) []byte {
	var b bytes.Buffer
	b.Grow(len(out))
	shift := []int{0} // by depth; -1 = not known yet
	outer := []int{0} // by depth: indentation of the line that opened it, after shifting
	last := 0         // indentation of the last line, after shifting
	srcAt, outAt := 0, 0
	for _, depth := range depths {
		srcEnd, outEnd := lineEnd(src, srcAt), lineEnd(out, outAt)
		from, line := src[srcAt:srcEnd], out[outAt:outEnd]
		srcAt, outAt = srcEnd, outEnd
		for len(shift) <= depth {
			shift, outer = append(shift, -1), append(outer, last)
		}
		shift, outer = shift[:depth+1], outer[:depth+1]
		if len(bytes.TrimSpace(from)) > 0 {
			raw := indent(from)
			if shift[depth] < 0 {
				shift[depth] = max(0, raw-outer[depth])
			}
			last = max(0, raw-shift[depth])
		}
		b.Write(clamp(line[min(indent(line), max(0, shift[depth])):]))
	}
	return b.Bytes()
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
