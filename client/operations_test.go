package client_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// asked is a request that a method sent.
type asked struct {
	described
	r    *http.Request
	sent []byte
}

// apiServer responds to every described operation with a value of the response type, or with a file if there is none.
type apiServer struct {
	*httptest.Server
	answer []byte
	asked  []asked
}

const file = "a,b\n1,2\n"

func newAPIServer(t *testing.T, operations map[string]described) *apiServer {
	s := &apiServer{}
	mux := http.NewServeMux()
	for _, op := range operations {
		mux.HandleFunc(op.method+" /base"+op.path, func(w http.ResponseWriter, r *http.Request) {
			sent, _ := io.ReadAll(r.Body)
			s.asked = append(s.asked, asked{op, r, sent})
			w.WriteHeader(op.status)
			_, _ = w.Write(s.answer)
		})
	}
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// A1: every operation of the description has a client method; requests and responses of generated methods have the
// described fields, at every depth.
func TestEveryDescribedOperationHasAMethod(t *testing.T) {
	d := newDescription(t)
	operations := d.operations()
	server := newAPIServer(t, operations)
	c, err := client.New(server.URL+"/base/", key)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]int{}
	for _, op := range slices.Concat(byHand(), assistantOperations()) {
		calls[op.id]++
	}
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		name, method := v.Type().Method(i).Name, v.Method(i)
		if !method.Type().IsVariadic() {
			continue // written by hand
		}
		t.Run(name, func(t *testing.T) {
			op := callMethod(t, d, server, name, method)
			calls[op]++
		})
	}
	for id, op := range operations {
		if calls[id] == 0 || op.csv && calls[id] < 2 {
			t.Errorf("%s has %d methods", id, calls[id])
		}
	}
}

// callMethod calls a method with every argument filled in, and returns the operation that it called.
func callMethod(t *testing.T, d description, server *apiServer, name string, method reflect.Value) string {
	t.Helper()
	args := []reflect.Value{reflect.ValueOf(t.Context())}
	var written bytes.Buffer
	for i := 1; i < method.Type().NumIn()-1; i++ {
		arg := reflect.New(method.Type().In(i)).Elem()
		if arg.Type() == reflect.TypeFor[io.Writer]() {
			arg.Set(reflect.ValueOf(&written))
		} else {
			fill(arg)
		}
		args = append(args, arg)
	}
	var want reflect.Value // the response
	server.asked, server.answer = nil, []byte(file)
	if method.Type().NumOut() == 2 {
		want = reflect.New(method.Type().Out(0)).Elem()
		fill(want)
		server.answer, _ = json.Marshal(want.Interface())
	}
	args = append(args, reflect.ValueOf(client.WithRequestID("mine")))
	out := method.Call(args)
	if err, _ := out[len(out)-1].Interface().(error); err != nil || len(server.asked) != 1 {
		t.Fatalf("%d requests, %v", len(server.asked), err)
	}
	got := server.asked[0]
	got.check(t, d, strings.HasSuffix(name, "CSV"))
	switch {
	case want.IsValid():
		if !reflect.DeepEqual(out[0].Interface(), want.Interface()) {
			t.Errorf("response %+v\ndecoded  %+v", want, out[0])
		}
		d.sameFields(t, "the answer", decoded(t, server.answer), got.answer)
	case got.status != http.StatusNoContent && written.String() != file:
		t.Errorf("wrote %q", written.String())
	}
	return got.id
}

// check compares a request with the description.
func (a asked) check(t *testing.T, d description, csv bool) {
	t.Helper()
	if have := slices.Sorted(maps.Keys(a.r.URL.Query())); !slices.Equal(have, a.query) {
		t.Errorf("the query has %q, want %q", have, a.query)
	}
	if (a.r.Header.Get("Authorization") == "") != a.keyless || a.r.Header.Get("X-Request-Id") != "mine" {
		t.Errorf("the headers are %v", a.r.Header)
	}
	if accept := a.r.Header.Get("Accept"); csv != (accept == "text/csv") ||
		a.answer != nil && !csv && accept != "application/json" {
		t.Errorf("Accept is %q", accept)
	}
	if fields := d.fields(d.resolve(a.body)); (len(a.sent) > 0) != (len(fields) > 0) {
		t.Errorf("sent %q, want the fields %q", a.sent, slices.Sorted(maps.Keys(fields)))
	}
	if len(a.sent) > 0 {
		d.sameFields(t, "the request", decoded(t, a.sent), a.body)
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// fill sets a value and everything in it to non-zero values.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.ValueOf(json.RawMessage(`{"a":1}`)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("text"), value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Interface: // a field that is always null
	default:
		panic("a value of kind " + v.Kind().String() + " cannot be filled")
	}
}
