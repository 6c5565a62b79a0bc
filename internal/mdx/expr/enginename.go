package expr

import "strings"

// isEngineName reports whether JavaScript or the runtime of pages defines a name that this package does not know. An
// expression with such a name needs the engine. A test in package expand compares the list with the names that the
// engine defines.
func isEngineName(name string) bool {
	switch name {
	case "AggregateError", "ArrayBuffer", "Atomics", "BigInt", "BigInt64Array", "BigUint64Array", "DataView", "Date",
		"Error", "EvalError",
		"FinalizationRegistry", "Float16Array", "Float32Array", "Float64Array", "Function", "Int16Array", "Int32Array",
		"Int8Array",
		"InternalError", "Intl", "Iterator", "Map", "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect",
		"RegExp", "Set",
		"SharedArrayBuffer", "Symbol", "SyntaxError", "TextDecoder", "TextEncoder", "TypeError", "URIError", "URL",
		"URLSearchParams",
		"Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakRef", "WeakSet",
		"arguments", "atob", "btoa", "clearImmediate", "clearInterval", "clearTimeout", "console", "decodeURI",
		"decodeURIComponent",
		"encodeURI", "encodeURIComponent", "escape", "eval", "globalThis", "isFinite", "isNaN", "parseFloat",
		"parseInt", "queueMicrotask",
		"setImmediate", "setInterval", "setTimeout", "structuredClone", "unescape":
		return true
	}
	return isReactName(name)
}

// isReactName reports whether a name belongs to React, which pages use without an import. Any name that looks like
// a hook is included.
func isReactName(name string) bool {
	switch name {
	case "React", "ReactDOM", "createContext", "createElement", "cloneElement", "isValidElement":
		return true
	}
	hook, ok := strings.CutPrefix(name, "use")
	return ok && hook != "" && 'A' <= hook[0] && hook[0] <= 'Z'
}
