package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// operation is what client.tmpl writes of an operation of the description.
type operation struct {
	Name      string // of the method
	Comment   string
	Method    string   // of HTTP, as net/http names it
	Path      string   // segments in Go: quoted texts and the names of arguments
	IDs       []string // names of the arguments in the path, in its order
	Query     []parameter
	Body      string // type, or "" for none
	Result    string // type of what JSON answers have, or "" when there is none
	Transport string // function that makes the call
	Accept    string // media types of an answer that is a file, or ""
	CSV       bool   // JSON may be asked for as CSV, too
	Keyless   bool   // no key is needed, so none is sent
	ByHand    string // why only the request is generated, or ""
}

// parameter is a field of an operation's query.
type parameter struct{ Name, Wire, Type, Comment string }

// newOperation reads what oapi-codegen found out about an operation.
func newOperation(of codegen.OperationDefinition) (operation, error) {
	op := operation{Name: of.OperationId, Keyless: of.Spec.Security != nil && len(*of.Spec.Security) == 0,
		Method: of.Method[:1] + strings.ToLower(of.Method[1:])}
	op.ByHand, _ = of.Spec.Extensions["x-by-hand"].(string)
	op.Comment = comment(fmt.Sprintf("%s calls %s %s: %s.", op.Name, of.Method, of.Path, of.Summary)) + "\n//\n" +
		comment(of.Spec.Description)
	op.readPath(of)
	for _, p := range of.QueryParams {
		if differs(p.Schema.OAPISchema) {
			return op, fmt.Errorf("%s: the zero value of %s differs from its default, so it could not be sent", op.Name,
				p.ParamName)
		}
		op.Query = append(op.Query, parameter{p.GoName(), p.ParamName, p.TypeDef(), comment(p.Spec.Description)})
	}
	for _, b := range of.Bodies {
		if b.IsJSON() && b.Schema.TypeDecl() != "EmptyObject" { // which says nothing
			op.Body = b.Schema.TypeDecl()
		}
	}
	return op, op.readAnswer(of)
}

// differs reports whether a parameter's zero value says something else than leaving it out.
func differs(s *openapi3.Schema) bool {
	switch usual := s.Default.(type) {
	case bool:
		return usual
	case float64:
		return usual != 0 && (s.Min == nil || *s.Min <= 0)
	}
	return false
}

// readPath fills in the segments of the path and the arguments in it.
func (op *operation) readPath(of codegen.OperationDefinition) {
	names := map[string]string{}
	for _, p := range of.PathParams {
		name := strings.ToLower(p.GoName()[:1]) + p.GoName()[1:]
		if p.GoName() == "ID" {
			name = "id"
		}
		names["{"+p.ParamName+"}"] = name
	}
	var segments []string
	for segment := range strings.SplitSeq(strings.TrimPrefix(of.Path, "/"), "/") {
		if name, ok := names[segment]; ok {
			op.IDs = append(op.IDs, name)
			segments = append(segments, name)
			continue
		}
		segments = append(segments, strconv.Quote(segment))
	}
	op.Path = strings.Join(segments, ", ")
}

// readAnswer decides how the answer is read, by its media types.
func (op *operation) readAnswer(of codegen.OperationDefinition) error {
	var media []string
	for _, r := range of.Responses {
		for _, content := range r.Contents {
			name, _, _ := strings.Cut(content.ContentType, ";")
			if r.StatusCode[0] != '2' {
				continue
			}
			media = append(media, name)
			if content.IsJSON() {
				op.Result, op.Transport = content.Schema.TypeDecl(), "ask"
				if s := content.Schema.OAPISchema; s.Type.Is("array") || s.Extensions["x-go-type"] != nil {
					op.Transport = "askValue"
				}
			}
		}
	}
	switch stream := slices.Contains(media, "text/event-stream"); {
	case op.Result != "":
		op.CSV = slices.Contains(media, "text/csv")
	case stream && op.ByHand == "":
		return fmt.Errorf("%s answers with a stream: write it by hand and say so in overlay.yaml", op.Name)
	case len(media) > 0:
		op.Transport, op.Accept = "save", strings.Join(media, ", ")
	default:
		op.Transport = "tell"
	}
	return nil
}

// CallName returns the name of the function that makes the operation's request.
func (op operation) CallName() string {
	return strings.ToLower(op.Name[:1]) + op.Name[1:] + "Call"
}

// Call returns the call of that function.
func (op operation) Call() string {
	args := append([]string{}, op.IDs...)
	if op.Body != "" {
		args = append(args, "in")
	}
	if len(op.Query) > 0 {
		args = append(args, "params")
	}
	return op.CallName() + "(" + strings.Join(args, ", ") + ")"
}

// CallArgs returns what the request is made of: ids in the order of the path, the body, the query.
func (op operation) CallArgs() string {
	var args []string
	if len(op.IDs) > 0 {
		args = append(args, strings.Join(op.IDs, ", ")+" string")
	}
	if op.Body != "" {
		args = append(args, "in "+op.Body)
	}
	if len(op.Query) > 0 {
		args = append(args, "params "+op.Name+"Params")
	}
	return strings.Join(args, ", ")
}

// MethodArgs returns the arguments of the method.
func (op operation) MethodArgs() string { return op.args(op.Transport == "save") }

// CSVArgs returns the arguments of the method that writes CSV.
func (op operation) CSVArgs() string { return op.args(true) }

func (op operation) args(file bool) string {
	args := []string{"ctx context.Context"}
	if op.CallArgs() != "" {
		args = append(args, op.CallArgs())
	}
	if file {
		args = append(args, "w io.Writer")
	}
	return strings.Join(append(args, "opts ...RequestOption"), ", ")
}

// Returns returns the results of the method.
func (op operation) Returns() string {
	switch op.Transport {
	case "ask":
		return "(*" + op.Result + ", error)"
	case "askValue":
		return "(" + op.Result + ", error)"
	}
	return "error"
}

// comment returns a text as a comment of Go, in lines of up to 120 characters.
func comment(text string) string {
	var b strings.Builder
	width := 0
	for _, word := range strings.Fields(text) {
		if width == 0 || width+1+len(word) > 120 {
			if width > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("//")
			width = 2
		}
		b.WriteString(" " + word)
		width += 1 + len(word)
	}
	return b.String()
}
