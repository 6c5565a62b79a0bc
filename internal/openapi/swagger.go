package openapi

// upgrade gives a Swagger 2.0 operation the shape of OpenAPI 3: body and form parameters become a request body, a response's schema its content.
func (s *Spec) upgrade(o *Operation) *Value {
	consumes, produces := s.media(o.raw, "consumes"), s.media(o.raw, "produces")
	var plain []*Value
	var body *Value
	form := &Value{Kind: Object}
	var required []*Value
	for _, list := range []*Value{o.raw.Get("parameters"), o.item.Get("parameters")} {
		for _, ref := range items(list) {
			p := s.target(ref)
			switch p.Get("in").Text() {
			case "body":
				if body == nil {
					body = s.upgradeBody(p, consumes)
				}
			case "formData":
				form.Members = append(form.Members, Member{p.Get("name").Text(), p})
				if p.Get("required").True() {
					required = append(required, p.Get("name"))
				}
			default:
				plain = append(plain, ref)
			}
		}
	}
	if len(form.Members) > 0 {
		body = formBody(form, required, consumes)
	}
	out := &Value{Kind: Object, doc: o.raw.doc, Members: []Member{{"parameters", &Value{Kind: List, Items: plain}}, {"requestBody", body}}}
	for _, m := range o.raw.Members {
		switch m.Key {
		case "parameters":
		case "responses":
			out.Members = append(out.Members, Member{m.Key, s.upgradeResponses(m.Value, produces)})
		default:
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// media is a list of media types on the operation or, without one, on the description.
func (s *Spec) media(raw *Value, key string) []string {
	for _, v := range []*Value{raw, s.root} {
		if list := v.Get(key).texts(); len(list) > 0 {
			return list
		}
	}
	return []string{"application/json"}
}

func (s *Spec) upgradeBody(p *Value, types []string) *Value {
	media := NewObject(Member{"schema", p.Get("schema")})
	body := NewObject(Member{"content", mediaObject(types, media)})
	for _, key := range []string{"description", "required"} {
		if v := p.Get(key); v != nil {
			body.Members = append(body.Members, Member{key, v})
		}
	}
	return body
}

func formBody(form *Value, required []*Value, types []string) *Value {
	kind := "application/x-www-form-urlencoded"
	for _, m := range form.Members {
		if m.Value.Get("type").Text() == "file" {
			kind = "multipart/form-data"
		}
	}
	for _, t := range types {
		if t == "multipart/form-data" {
			kind = t
		}
	}
	form.finish()
	schema := NewObject(Member{"type", NewString("object")}, Member{"properties", form}, Member{"required", &Value{Kind: List, Items: required}})
	return NewObject(Member{"content", mediaObject([]string{kind}, NewObject(Member{"schema", schema}))})
}

func mediaObject(types []string, media *Value) *Value {
	out := &Value{Kind: Object}
	for _, t := range types {
		out.Members = append(out.Members, Member{t, media})
	}
	return out
}

func (s *Spec) upgradeResponses(raw *Value, types []string) *Value {
	out := &Value{Kind: Object}
	for _, m := range members(raw) {
		r := s.target(m.Value)
		up := &Value{Kind: Object, doc: r.doc0(), Members: append([]Member(nil), members(r)...)}
		if schema, examples := r.Get("schema"), r.Get("examples"); schema != nil || examples != nil {
			content := &Value{Kind: Object}
			for _, t := range types {
				media := &Value{Kind: Object, Members: []Member{{"schema", schema}}}
				if e := examples.Get(t); e != nil {
					media.Members = append(media.Members, Member{"example", e})
				}
				content.Members = append(content.Members, Member{t, media})
			}
			up.Members = append(up.Members, Member{"content", content})
		}
		out.Members = append(out.Members, Member{m.Key, up})
	}
	return out
}

// doc0 is the document of a value that may be nil.
func (v *Value) doc0() *document {
	if v == nil {
		return nil
	}
	return v.doc
}
