package telemetry

import (
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The JSON form of OTLP's ExportTraceServiceRequest: ids in hex, 64-bit numbers as text, enumerations as numbers.
type (
	traceData struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   resourceData `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	resourceData struct {
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	scopeSpans struct {
		Scope scopeData  `json:"scope"`
		Spans []spanData `json:"spans"`
	}
	scopeData struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	spanData struct {
		TraceID      string      `json:"traceId"`
		SpanID       string      `json:"spanId"`
		TraceState   string      `json:"traceState,omitempty"`
		ParentSpanID string      `json:"parentSpanId,omitempty"`
		Flags        uint32      `json:"flags"`
		Name         string      `json:"name"`
		Kind         int         `json:"kind"`
		Start        string      `json:"startTimeUnixNano"`
		End          string      `json:"endTimeUnixNano"`
		Attributes   []keyValue  `json:"attributes,omitempty"`
		Dropped      int         `json:"droppedAttributesCount,omitempty"`
		Events       []eventData `json:"events,omitempty"`
		Links        []linkData  `json:"links,omitempty"`
		Status       statusData  `json:"status"`
	}
	eventData struct {
		Time       string     `json:"timeUnixNano"`
		Name       string     `json:"name"`
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	linkData struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	statusData struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code,omitempty"`
	}
	keyValue struct {
		Key   string   `json:"key"`
		Value anyValue `json:"value"`
	}
	anyValue struct {
		String *string  `json:"stringValue,omitempty"`
		Bool   *bool    `json:"boolValue,omitempty"`
		Int    *string  `json:"intValue,omitempty"`
		Double *float64 `json:"doubleValue,omitempty"`
	}
)

// newTraceData groups spans by scope. All come from one provider, so they share one resource.
func newTraceData(spans []sdktrace.ReadOnlySpan) traceData {
	rs := resourceSpans{Resource: resourceData{Attributes: keyValues(spans[0].Resource().Attributes())}}
	at := map[instrumentation.Scope]int{}
	for _, s := range spans {
		scope := s.InstrumentationScope()
		i, ok := at[scope]
		if !ok {
			i = len(rs.ScopeSpans)
			at[scope] = i
			rs.ScopeSpans = append(rs.ScopeSpans, scopeSpans{Scope: scopeData{Name: scope.Name, Version: scope.Version}})
		}
		rs.ScopeSpans[i].Spans = append(rs.ScopeSpans[i].Spans, newSpanData(s))
	}
	return traceData{ResourceSpans: []resourceSpans{rs}}
}

func newSpanData(s sdktrace.ReadOnlySpan) spanData {
	sc := s.SpanContext()
	d := spanData{
		TraceID: sc.TraceID().String(), SpanID: sc.SpanID().String(), TraceState: sc.TraceState().String(), Flags: uint32(sc.TraceFlags()),
		Name: s.Name(), Kind: int(s.SpanKind()), Start: nanos(s.StartTime()), End: nanos(s.EndTime()),
		Attributes: keyValues(s.Attributes()), Dropped: s.DroppedAttributes(), Status: status(s.Status()),
	}
	if s.SpanKind() == trace.SpanKindUnspecified {
		d.Kind = int(trace.SpanKindInternal)
	}
	if p := s.Parent(); p.HasSpanID() {
		d.ParentSpanID = p.SpanID().String()
	}
	for _, e := range s.Events() {
		d.Events = append(d.Events, eventData{Time: nanos(e.Time), Name: e.Name, Attributes: keyValues(e.Attributes)})
	}
	for _, l := range s.Links() {
		d.Links = append(d.Links, linkData{TraceID: l.SpanContext.TraceID().String(), SpanID: l.SpanContext.SpanID().String(), Attributes: keyValues(l.Attributes)})
	}
	return d
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// status translates, since the API and the protocol number the codes differently.
func status(s sdktrace.Status) statusData {
	switch s.Code {
	case codes.Ok:
		return statusData{Code: 1}
	case codes.Error:
		return statusData{Code: 2, Message: s.Description}
	}
	return statusData{}
}

func keyValues(list []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(list))
	for _, kv := range list {
		out = append(out, keyValue{Key: string(kv.Key), Value: newAnyValue(kv.Value)})
	}
	return out
}

func newAnyValue(v attribute.Value) anyValue {
	switch v.Type() {
	case attribute.BOOL:
		b := v.AsBool()
		return anyValue{Bool: &b}
	case attribute.INT64:
		n := strconv.FormatInt(v.AsInt64(), 10)
		return anyValue{Int: &n}
	case attribute.FLOAT64:
		f := v.AsFloat64()
		return anyValue{Double: &f}
	}
	text := v.String() // lists too: this server makes none of its own
	return anyValue{String: &text}
}
