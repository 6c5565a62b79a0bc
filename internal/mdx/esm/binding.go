package esm

// maxBinding limits the nesting of patterns.
const maxBinding = 50

// bound is a name that a declaration defines. simple is false if it is part of a pattern.
type bound struct {
	name   string
	simple bool
}

// binding reads the names that a declaration defines:
//
//	binding = name | "{" {key [":" binding] [default] ","} ["..." name] "}" | "[" {[binding [default]] ","} "]"
func (r *reader) binding(depth int) []bound {
	switch {
	case depth > maxBinding:
		r.fail(r.at, "the pattern is nested too deeply", "")
		return nil
	case r.word != "{" && r.word != "[":
		return []bound{{r.name(), depth == 0}}
	}
	closing := "}"
	if r.word == "[" {
		closing = "]"
	}
	var out []bound
	r.next()
	for r.err == nil && r.word != closing {
		if r.accept(",") {
			continue
		}
		r.dots()
		if closing == "}" {
			out = append(out, r.field(depth)...)
		} else {
			out = append(out, r.binding(depth+1)...)
		}
		r.fallback(closing)
	}
	r.expect(closing)
	return out
}

func (r *reader) dots() {
	for r.word == "." {
		r.next()
	}
}

// field returns the names in one property of an object pattern.
func (r *reader) field(depth int) []bound {
	if r.word == "[" { // a computed key
		for level := 0; r.err == nil && r.word != ""; r.next() {
			if r.word == "[" {
				level++
			} else if r.word == "]" {
				if level--; level == 0 {
					r.next()
					break
				}
			}
		}
		r.expect(":")
		return r.binding(depth + 1)
	}
	name := r.nameOrText()
	if r.accept(":") {
		return r.binding(depth + 1)
	}
	return []bound{{name, false}}
}

// fallback skips a default value, up to a comma or the bracket that closes the pattern.
func (r *reader) fallback(closing string) {
	if r.word != "=" {
		if r.err == nil && r.word != "," && r.word != closing {
			r.unexpected()
		}
		return
	}
	for level := 0; r.err == nil && r.word != ""; r.next() {
		switch r.word {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			if level == 0 {
				return
			}
			level--
		case ",":
			if level == 0 {
				return
			}
		}
	}
}
