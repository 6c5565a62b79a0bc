// Command checkgitlab compares recorded exchanges with a fake of GitLab against the types of GitLab's own Go client:
// checkgitlab FILE... Every field and parameter of the API exists in the client, so each one in a request or response
// must exist there with the same type.
//
// The judges run it. It is a separate module so that the product does not depend on the client.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// operation contains the client's types for a request.
type operation struct {
	method   string
	path     *regexp.Regexp // below /api/v4
	request  any            // options for the body or query; nil = none
	response any            // nil = none
}

const repo = `^/projects/[^/]+`

var operations = []operation{
	{"GET", regexp.MustCompile(`^/user$`), nil, gitlab.User{}},
	{"GET", regexp.MustCompile(`^/users$`), gitlab.ListUsersOptions{}, []gitlab.User{}},
	{"GET", regexp.MustCompile(`^/personal_access_tokens/self$`), nil, gitlab.PersonalAccessToken{}},
	{"GET", regexp.MustCompile(`^/projects$`), gitlab.ListProjectsOptions{}, []gitlab.Project{}},
	{"GET", regexp.MustCompile(repo + `$`), nil, gitlab.Project{}},
	{"GET", regexp.MustCompile(repo + `/hooks$`), gitlab.ListProjectHooksOptions{}, []gitlab.ProjectHook{}},
	{"POST", regexp.MustCompile(repo + `/hooks$`), gitlab.AddProjectHookOptions{}, gitlab.ProjectHook{}},
	{"PUT", regexp.MustCompile(repo + `/hooks/\d+$`), gitlab.EditProjectHookOptions{}, gitlab.ProjectHook{}},
	{"DELETE", regexp.MustCompile(repo + `/hooks/\d+$`), nil, nil},
	{"GET", regexp.MustCompile(repo + `/merge_requests$`), gitlab.ListProjectMergeRequestsOptions{}, []gitlab.BasicMergeRequest{}},
	{"POST", regexp.MustCompile(repo + `/merge_requests$`), gitlab.CreateMergeRequestOptions{}, gitlab.MergeRequest{}},
	{"GET", regexp.MustCompile(repo + `/merge_requests/\d+$`), nil, gitlab.MergeRequest{}},
	{"PUT", regexp.MustCompile(repo + `/merge_requests/\d+$`), gitlab.UpdateMergeRequestOptions{}, gitlab.MergeRequest{}},
	{"GET", regexp.MustCompile(repo + `/merge_requests/\d+/notes$`), gitlab.ListMergeRequestNotesOptions{}, []gitlab.Note{}},
	{"POST", regexp.MustCompile(repo + `/merge_requests/\d+/notes$`), gitlab.CreateMergeRequestNoteOptions{}, gitlab.Note{}},
	{"PUT", regexp.MustCompile(repo + `/merge_requests/\d+/notes/\d+$`), gitlab.UpdateMergeRequestNoteOptions{}, gitlab.Note{}},
	{"GET", regexp.MustCompile(repo + `/issues/\d+/notes$`), gitlab.ListIssueNotesOptions{}, []gitlab.Note{}},
	{"POST", regexp.MustCompile(repo + `/issues/\d+/notes$`), gitlab.CreateIssueNoteOptions{}, gitlab.Note{}},
	{"PUT", regexp.MustCompile(repo + `/issues/\d+/notes/\d+$`), gitlab.UpdateIssueNoteOptions{}, gitlab.Note{}},
	{"GET", regexp.MustCompile(repo + `/members/all/\d+$`), nil, gitlab.ProjectMember{}},
	{"GET", regexp.MustCompile(repo + `/releases/[^/]+$`), nil, gitlab.Release{}},
	{"POST", regexp.MustCompile(repo + `/statuses/[0-9a-f]{40}$`), gitlab.SetCommitStatusOptions{}, gitlab.CommitStatus{}},
}

type exchange struct {
	Host, Method, Address string
	Request, Response     json.RawMessage
	Status                int
}

func main() {
	found, count := map[string]bool{}, 0
	used := make([]bool, len(operations))
	for _, name := range os.Args[1:] {
		list, err := read(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, e := range list {
			if e.Host != "gitlab" || e.Status >= 400 { // an error response does not show what the host accepts
				continue
			}
			count++
			for _, text := range check(e, used) {
				found[text] = true
			}
		}
	}
	for i, op := range operations {
		if !used[i] {
			found[fmt.Sprintf("%s %s was never requested", op.method, op.path)] = true
		}
	}
	for text := range found {
		fmt.Println(text)
	}
	fmt.Printf("%d exchanges, %d operations\n", count, len(operations))
	if len(found) > 0 {
		os.Exit(1)
	}
}

func read(name string) (list []exchange, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return list, nil
		}
		var e exchange
		if err == nil {
			err = json.Unmarshal(line, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, e)
	}
}

func check(e exchange, used []bool) (found []string) {
	path, query, _ := strings.Cut(strings.TrimPrefix(e.Address, "/api/v4"), "?")
	for i, op := range operations {
		if op.method != e.Method || !op.path.MatchString(path) {
			continue
		}
		used[i] = true
		where := e.Method + " " + op.path.String()
		if query != "" {
			found = append(found, checkQuery(where, query, op.request)...)
		}
		if len(e.Request) > 0 {
			found = append(found, checkBody(where+" request", e.Request, op.request)...)
		}
		if len(e.Response) > 0 {
			found = append(found, checkBody(where+" response", e.Response, op.response)...)
		}
		return found
	}
	return []string{e.Method + " " + path + " is not an operation that is compared"}
}

// checkBody decodes into the client's type, which rejects unknown fields.
func checkBody(where string, body json.RawMessage, into any) []string {
	if into == nil {
		return []string{where + ": the client's operation has no body"}
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(reflect.New(reflect.TypeOf(into)).Interface()); err != nil {
		return []string{where + ": " + err.Error()}
	}
	return nil
}

// checkQuery checks that the parameters' names occur in the struct tags of the client's options.
func checkQuery(where, query string, options any) (found []string) {
	values, err := url.ParseQuery(query)
	if err != nil || options == nil {
		return []string{fmt.Sprintf("%s: the client's operation has no parameters, got %q", where, query)}
	}
	known := map[string]bool{}
	collect(reflect.TypeOf(options), known)
	for name := range values {
		if !known[name] {
			found = append(found, where+": the client's operation has no parameter "+name)
		}
	}
	return found
}

func collect(t reflect.Type, known map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			collect(f.Type, known)
		}
		name, _, _ := strings.Cut(f.Tag.Get("url"), ",")
		known[name] = true
	}
}
