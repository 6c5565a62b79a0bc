package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// operation is the data of an operation for client.tmpl.
type operation struct {
	Name      string // of the method
	Comment   string
	Method    string   // HTTP method in the spelling of net/http
	Path      string   // path segments as Go expressions: string literals and argument names
	IDs       []string // names of the path arguments, in order
	Query     []parameter
	Body      string // type, or "" for no body
	Result    string // type of the JSON response, or "" for none
	Transport string // name of the function that makes the call
	Accept    string // media types of a file response, or ""
	CSV       bool   // the JSON response is also available as CSV
	Keyless   bool   // no key is required, so none is sent
	ByHand    string // reason why only the request function is generated, or ""
}

// parameter is a query parameter of an operation.
type parameter struct{ Name, Wire, Type, Comment string }

// newOperation converts oapi-codegen's description of an operation.
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
		if b.IsJSON() && b.Schema.TypeDecl() != "EmptyObject" { // EmptyObject contains no data
			op.Body = b.Schema.TypeDecl()
		}
	}
	return op, op.readAnswer(of)
}

// differs reports whether passing a parameter's zero value means something other than omitting the parameter.
func differs(s *openapi3.Schema) bool {
	switch usual := s.Default.(type) {
	case bool:
		return usual
	case float64:
		return usual != 0 && (s.Min == nil || *s.Min <= 0)
	}
	return false
}

// readPath sets the path segments and arguments.
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

// readAnswer determines from the response's media types how to read it.
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
		return fmt.Errorf("%s responds with a stream: write it by hand and add x-by-hand in overlay.yaml", op.Name)
	case len(media) > 0:
		op.Transport, op.Accept = "save", strings.Join(media, ", ")
	default:
		op.Transport = "tell"
	}
	return nil
}

// CallName returns the name of the function that creates the operation's request.
func (op operation) CallName() string {
	return strings.ToLower(op.Name[:1]) + op.Name[1:] + "Call"
}

// Call returns the call expression for that function.
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

// CallArgs returns the parameters of that function: ids in the path's order, the body, the query.
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

// MethodArgs returns the parameters of the method.
func (op operation) MethodArgs() string { return op.args(op.Transport == "save") }

// CSVArgs returns the parameters of the method that writes CSV.
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

// Returns returns the result types of the method.
func (op operation) Returns() string {
	switch op.Transport {
	case "ask":
		return "(*" + op.Result + ", error)"
	case "askValue":
		return "(" + op.Result + ", error)"
	}
	return "error"
}

// comment formats a text as a Go comment, in lines of up to 120 characters.
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
