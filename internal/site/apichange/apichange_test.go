package apichange

import (
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

const before = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      summary: List pets
      parameters:
        - {name: sort, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: kind, in: query, schema: {type: string, enum: [cat, dog]}}
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}, mail: {type: string}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, tag: {type: string}}}}}}
      responses: {"201": {description: made}, "400": {description: bad}}
  /pets/{id}:
    delete:
      summary: Delete a pet
      responses: {"204": {description: gone}}
  /same:
    get: {responses: {"200": {description: ok}}}
`

const after = `openapi: 3.1.0
info: {title: Pets, version: 1.1.0}
paths:
  /pets:
    get:
      summary: List pets
      deprecated: true
      parameters:
        - {name: limit, in: query, required: true, schema: {type: integer}}
        - {name: kind, in: query, schema: {type: string, enum: [cat, bird]}}
        - {name: after, in: query, schema: {type: string}}
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string, format: uuid}, "<b>{x}": {type: string}}}}}}
        "429": {description: slow down}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [tag], properties: {name: {type: string, deprecated: true}, tag: {type: string}, age: {type: integer}}}}}}
      responses: {"201": {description: made}}
  /pets/search:
    post:
      summary: "Search <i>pets</i>"
      responses: {"200": {description: ok}}
  /same:
    get: {responses: {"200": {description: ok}}}
`

func load(t *testing.T, text string) *openapi.Spec {
	t.Helper()
	spec, list := (&openapi.Loader{FS: fstest.MapFS{"api.yaml": {Data: []byte(text)}}}).Load(t.Context(), "api.yaml")
	if spec == nil || len(list) > 0 {
		t.Fatal(list)
	}
	return spec
}

func TestSpecsListsChangesForChangelog(t *testing.T) {
	t.Parallel()
	got := Markdown(Specs(load(t, before), load(t, after)))
	want := "**Added**\n\n" +
		"- `GET /pets`\n" +
		"  - the query parameter \"after\" is new\n" +
		"  - the field \"\\[\\].\\<b\\>\\{x\\}\" of the response 200 is new\n" +
		"  - the response 429 is new\n" +
		"- `POST /pets`\n" +
		"  - the request field \"age\" is new\n" +
		"- `POST /pets/search`: Search \\<i\\>pets\\</i\\>\n" +
		"\n**Changed**\n\n" +
		"- `GET /pets`\n" +
		"  - **Breaking:** the query parameter \"limit\" is required now\n" +
		"  - the query parameter \"kind\" also allows \"bird\"\n" +
		"  - **Breaking:** the query parameter \"kind\" no longer allows \"dog\"\n" +
		"  - **Breaking:** the field \"\\[\\].id\" of the response 200 is now string\\<uuid\\>; it was integer\n" +
		"- `POST /pets`\n" +
		"  - **Breaking:** the request field \"tag\" is required now\n" +
		"\n**Deprecated**\n\n" +
		"- `GET /pets`: List pets\n" +
		"- `POST /pets`\n" +
		"  - the request field \"name\" is deprecated\n" +
		"\n**Removed**\n\n" +
		"- `GET /pets`\n" +
		"  - **Breaking:** the query parameter \"sort\" is gone\n" +
		"  - **Breaking:** the field \"\\[\\].mail\" of the response 200 is gone\n" +
		"- `POST /pets`\n" +
		"  - **Breaking:** the response 400 is gone\n" +
		"- **Breaking:** `DELETE /pets/{id}`: Delete a pet\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, list := mdx.Parse("page.mdx", []byte(got), 1); len(list) > 0 {
		t.Error("the text is not MDX:", list)
	}
	if got := Markdown(Specs(load(t, after), load(t, after))); got != "" {
		t.Errorf("nothing changed: %s", got)
	}
}

func TestBreakingChangesDependOnDirection(t *testing.T) {
	t.Parallel()
	api := func(parameter, field string) *openapi.Spec {
		return load(t, "openapi: 3.1.0\ninfo: {title: A, version: 1.0.0}\npaths:\n  /a:\n    get:\n"+
			"      parameters: [{name: p, in: query, schema: "+parameter+"}]\n      responses:\n        \"200\":\n          description: ok\n"+
			"          content: {application/json: {schema: {type: object, properties: {f: "+field+"}}}}\n")
	}
	for _, c := range []struct {
		was, is   string
		sent, got bool // whether the change breaks clients that send the value, and clients that receive it
	}{
		{"{type: integer}", "{type: string}", true, true},
		{"{type: integer}", "{type: number}", false, true},
		{"{type: string}", "{type: [string, 'null']}", false, true},
		{"{type: [string, 'null']}", "{type: string}", true, false},
		{"{type: string}", "{type: string, enum: [a, b]}", true, false},
		{"{type: string, enum: [a, b]}", "{type: string}", false, true},
		{"{type: string, enum: [a, b]}", "{type: string, enum: [a]}", true, false},
		{"{type: string, enum: [a]}", "{type: string, enum: [a, b]}", false, false},
	} {
		list := Specs(api(c.was, c.was), api(c.is, c.is))
		if len(list) != 2 || list[0].Breaking != c.sent || list[1].Breaking != c.got || list[0].Code+list[1].Code != "" {
			t.Errorf("%s, then %s: %+v", c.was, c.is, list)
		}
	}
}
