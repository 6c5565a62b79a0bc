package esm

// statement reads one statement and adds it to list.
//
//	statement = import | export
//	import    = "import" [(name ["," (names | star)] | names | star) "from"] string [attributes]
//	names     = "{" {(name | string) ["as" name] ","} "}"
//	star      = "*" "as" name
func (r *reader) statement(list []Statement) []Statement {
	if r.accept("import") {
		if i := r.imports(); r.err == nil {
			list = append(list, i)
		}
		return list
	}
	r.expect("export")
	return r.exports(list)
}

func (r *reader) imports() *Import {
	i := &Import{Offset: r.start, Source: r.source()}
	bare := len(r.word) > 0 && (r.word[0] == '"' || r.word[0] == '\'')
	if !bare {
		r.clause(i)
		r.expect("from")
	}
	i.FromAt = r.at
	i.From = r.text()
	r.attributes()
	r.end()
	return i
}

// clause reads the part between import and from.
func (r *reader) clause(i *Import) {
	if r.word != "{" && r.word != "*" {
		i.Default = r.name()
		if !r.accept(",") {
			return
		}
	}
	if r.accept("*") {
		r.expect("as")
		i.Namespace = r.name()
		return
	}
	i.Named = r.names()
}

// names reads a list such as {a, b as c}.
func (r *reader) names() (list []Name) {
	r.expect("{")
	for r.err == nil && r.word != "}" {
		n := Name{Name: r.nameOrText()}
		n.As = n.Name
		if r.accept("as") {
			n.As = r.nameOrText()
		}
		list = append(list, n)
		if r.word != "}" {
			r.expect(",")
		}
	}
	r.expect("}")
	return list
}

func (r *reader) nameOrText() string {
	if len(r.word) > 0 && (r.word[0] == '"' || r.word[0] == '\'') {
		return r.text()
	}
	return r.name()
}

// attributes skips import attributes, such as with {type: "json"}.
func (r *reader) attributes() {
	if r.word != "with" && r.word != "assert" {
		return
	}
	r.next()
	r.expect("{")
	for r.err == nil && r.word != "}" && r.word != "" {
		r.next()
	}
	r.expect("}")
}
