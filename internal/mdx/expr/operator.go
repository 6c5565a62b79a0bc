package expr

// sequence reads an expression. The grammar, lowest precedence first:
//
//	sequence    = assignment {"," assignment}
//	assignment  = binary ["?" assignment ":" assignment]
//	binary      = unary {operator unary}, by precedence
//	unary       = ("!" | "-" | "+" | "~" | "typeof" | "void") unary | postfix

func (p *parser) sequence() node {
	start := p.tok.start
	first := p.assignment()
	if !p.is(",") {
		return first
	}
	items := []node{first}
	for p.accept(",") {
		items = append(items, p.assignment())
	}
	return &sequenceNode{offset(start), items}
}

func (p *parser) assignment() node {
	defer func() { p.depth-- }()
	if !p.enter() {
		return nil
	}
	start := p.tok.start
	test := p.binary(1)
	if !p.accept("?") {
		return test
	}
	n := &conditionalNode{offset: offset(start), test: test}
	n.then = p.assignment()
	p.expect(":")
	n.other = p.assignment()
	return n
}

// precedence returns the precedence of a binary operator, or 0 if op is not one.
func precedence(op string) int {
	switch op {
	case "??", "||":
		return 1
	case "&&":
		return 2
	case "|":
		return 3
	case "^":
		return 4
	case "&":
		return 5
	case "==", "!=", "===", "!==":
		return 6
	case "<", ">", "<=", ">=":
		return 7
	case "<<", ">>", ">>>":
		return 8
	case "+", "-":
		return 9
	case "*", "/", "%":
		return 10
	case "**":
		return 11
	}
	return 0
}

// binary reads operators with a precedence of at least least.
func (p *parser) binary(least int) node {
	start := p.tok.start
	left := p.unary()
	mixed := "" // ?? cannot be mixed with || or && without parentheses
	for p.tok.kind == tPunct {
		op := p.tok.text
		prec := precedence(op)
		if prec == 0 || prec < least {
			break
		}
		at := p.tok.start
		if logical(op) {
			if kind := op == "??"; mixed != "" && kind != (mixed == "??") {
				p.syntax(at, "?? cannot be combined with || or && without parentheses")
				return nil
			}
			mixed = op
		}
		p.next()
		right := p.operand(op, prec, at)
		left = combine(op, start, left, right)
	}
	return left
}

// operand reads the right operand of an operator.
func (p *parser) operand(op string, prec, at int) node {
	if op == "**" { // right-associative
		defer func() { p.depth-- }()
		if !p.enter() {
			return nil
		}
		return p.binary(prec)
	}
	right := p.binary(prec + 1)
	if l, ok := right.(*logicalNode); ok && op == "??" && l.op == "&&" && right != p.paren {
		p.syntax(at, "?? cannot be combined with || or && without parentheses")
	}
	return right
}

func combine(op string, start int, left, right node) node {
	if logical(op) {
		return &logicalNode{offset(start), op, left, right}
	}
	return &binaryNode{offset(start), op, left, right}
}

func logical(op string) bool { return op == "??" || op == "||" || op == "&&" }

func (p *parser) unary() node {
	t := p.tok
	op := ""
	switch {
	case t.kind == tPunct && (t.text == "!" || t.text == "-" || t.text == "+" || t.text == "~"):
		op = t.text
	case t.kind == tName && (t.text == "typeof" || t.text == "void"):
		op = t.text
	default:
		return p.postfix()
	}
	defer func() { p.depth-- }()
	if !p.enter() {
		return nil
	}
	p.next()
	operand := p.unary()
	if p.is("**") {
		p.syntax(t.start, "put parentheses around the "+op+" before **")
	}
	return &unaryNode{offset(t.start), op, operand}
}
