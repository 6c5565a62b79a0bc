package scim

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/store"
)

// Number of resources on a page.
const (
	defaultCount = 100
	maxCount     = 200
	maxGroups    = 50 // groups include their members
)

const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"

// query contains the parameters of a request.
type query struct {
	filter     []condition
	startIndex int // starts at 1
	count      int
	only       map[string]bool // requested attributes, in lower case; nil = all
	without    map[string]bool // excluded attributes
}

func readQuery(raw string) (q query, err error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return q, bad(invalidValue, "The query string cannot be parsed.")
	}
	q = query{startIndex: 1, count: defaultCount, only: attributeNames(values.Get("attributes")),
		without: attributeNames(values.Get("excludedAttributes"))}
	for name, into := range map[string]*int{"startIndex": &q.startIndex, "count": &q.count} {
		if text := values.Get(name); text != "" {
			if *into, err = strconv.Atoi(text); err != nil || *into > 1<<31-1 {
				return q, bad(invalidValue, "%s must be a whole number.", name)
			}
		}
	}
	q.startIndex, q.count = max(1, q.startIndex), min(max(0, q.count), maxCount)
	if text := values.Get("filter"); text != "" {
		q.filter, err = parseFilter(text)
	}
	return q, err
}

// attributeNames parses a list of attributes. A sub-attribute selects the whole attribute.
func attributeNames(list string) map[string]bool {
	out := map[string]bool{}
	for one := range strings.SplitSeq(list, ",") {
		if name, _ := splitName(strings.ToLower(strings.TrimSpace(one))); name != "" {
			out[name] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// wants reports whether an attribute, given in lower case, should be in the response.
func (q query) wants(name string) bool {
	return (q.only == nil || q.only[name]) && !q.without[name]
}

// shape removes the attributes that the caller did not request. The attributes schemas and id are always kept.
func (q query) shape(resource any) (any, error) {
	if q.only == nil && q.without == nil {
		return resource, nil
	}
	raw, err := json.Marshal(resource)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	for name := range all {
		if lower := strings.ToLower(name); lower != "schemas" && lower != "id" && !q.wants(lower) {
			delete(all, name)
		}
	}
	return all, nil
}

// directoryQuery converts the parameters to a query for the store.
func (q query) directoryQuery(fields func(condition) ([]store.DirectoryCondition, bool)) (out store.DirectoryQuery, err error) {
	out.Offset, out.Limit = q.startIndex-1, q.count
	for _, c := range q.filter {
		one, ok := fields(c)
		if !ok {
			return out, bad(invalidFilter, "This server cannot filter by %s in this way.", strings.TrimSuffix(c.name+"."+c.sub, "."))
		}
		out.Where = append(out.Where, one...)
	}
	return out, nil
}

// text returns a condition's value in the store's form.
func (c condition) text() (string, bool) {
	switch v := c.value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// listBody is the response to a list request.
type listBody struct {
	Schemas      []string `json:"schemas"`
	TotalResults int64    `json:"totalResults"`
	StartIndex   int      `json:"startIndex"`
	ItemsPerPage int      `json:"itemsPerPage"`
	Resources    []any    `json:"Resources"`
}

func newList(start int, total int64, resources []any) listBody {
	if resources == nil {
		resources = []any{}
	}
	return listBody{Schemas: []string{listSchema}, TotalResults: total, StartIndex: start, ItemsPerPage: len(resources),
		Resources: resources}
}
