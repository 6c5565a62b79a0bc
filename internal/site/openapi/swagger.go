package openapi

import "github.com/lectern-docs/lectern/internal/foundation/jsontree"

// upgrade converts a Swagger 2.0 operation to the form of OpenAPI 3: body and form parameters become a request
// body, and the schema of a response becomes its content.
func (s *Spec) upgrade(o *Operation) *jsontree.Value {
	consumes, produces := s.media(o.raw, "consumes"), s.media(o.raw, "produces")
	var plain []*jsontree.Value
	var body *jsontree.Value
	form := &jsontree.Value{Kind: jsontree.Object}
	var required []*jsontree.Value
	for _, list := range []*jsontree.Value{o.raw.Get("parameters"), o.item.Get("parameters")} {
		for _, ref := range items(list) {
			p := s.target(ref)
			switch p.Get("in").Text() {
			case "body":
				if body == nil {
					body = s.upgradeBody(p, consumes)
				}
			case "formData":
				if name := p.Get("name"); form.Get(name.Text()) == nil { // the operation's own come first and win
					form.Set(pair(name.Text(), p))
				}
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
	out := jsontree.NewObject(pair("parameters", &jsontree.Value{Kind: jsontree.List, Items: plain}),
		pair("requestBody", body))
	out.Doc = o.raw.Doc
	for _, m := range o.raw.Members {
		switch m.Key {
		case "parameters":
		case "responses":
			out.Set(pair(m.Key, s.upgradeResponses(m.Value, produces)))
		default:
			out.Set(m)
		}
	}
	return out
}

// pair returns a member that does not come from a source file.
func pair(key string, v *jsontree.Value) jsontree.Member { return jsontree.Member{Key: key, Value: v} }

// maxMedia limits the media types of one operation. Each of its responses is shown in all of them.
const maxMedia = 20

// media returns the media types of the operation or, if it has none, of the description.
func (s *Spec) media(raw *jsontree.Value, key string) []string {
	for _, v := range []*jsontree.Value{raw, s.root} {
		if list := v.Get(key).Texts(); len(list) > 0 {
			return list[:min(len(list), maxMedia)]
		}
	}
	return []string{"application/json"}
}

func (s *Spec) upgradeBody(p *jsontree.Value, types []string) *jsontree.Value {
	media := jsontree.NewObject(pair("schema", p.Get("schema")))
	body := jsontree.NewObject(pair("content", mediaObject(types, media)))
	for _, key := range []string{"description", "required"} {
		if v := p.Get(key); v != nil {
			body.Set(pair(key, v))
		}
	}
	return body
}

func formBody(form *jsontree.Value, required []*jsontree.Value, types []string) *jsontree.Value {
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
	schema := jsontree.NewObject(pair("type", jsontree.NewString("object")), pair("properties", form),
		pair("required", &jsontree.Value{Kind: jsontree.List, Items: required}))
	media := jsontree.NewObject(pair("schema", schema))
	if encoding := formEncoding(form); len(encoding.Members) > 0 {
		media.Set(pair("encoding", encoding))
	}
	return jsontree.NewObject(pair("content", mediaObject([]string{kind}, media)))
}

func mediaObject(types []string, media *jsontree.Value) *jsontree.Value {
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, t := range types {
		out.Set(pair(t, media))
	}
	return out
}

func (s *Spec) upgradeResponses(raw *jsontree.Value, types []string) *jsontree.Value {
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, m := range members(raw) {
		r := s.target(m.Value)
		up := jsontree.NewObject(members(r)...)
		up.Doc = m.Value.Doc
		if schema, examples := r.Get("schema"), r.Get("examples"); schema != nil || examples != nil {
			content := &jsontree.Value{Kind: jsontree.Object}
			for _, t := range types {
				media := jsontree.NewObject(pair("schema", schema))
				if e := examples.Get(t); e != nil {
					media.Set(pair("example", e))
				}
				content.Set(pair(t, media))
			}
			up.Set(pair("content", content))
		}
		out.Set(pair(m.Key, up))
	}
	return out
}
