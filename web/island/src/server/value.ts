// Values are exchanged with the Go side as JSON; see render.ts for the format. They may contain the author's proxies,
// getters and cycles: each step may run author code, so depth and size are limited here, and everything else by the
// engine's limits.
import { heldType, isValidElement, makeElement, markerName } from './element';
import {
  defineProperty, finite, isArray, keys, NativeDate, NativeError, NativeMap, NativeWeakMap, quoteString, toText,
} from './guard';
import { emit, renderChildren } from './render';

export const held = new NativeWeakMap<object, number>(); // objects that represent values kept outside
const maxNesting = 60;
export let nesting = 0;

export function setNesting(n: number): void {
  nesting = n;
}

export function writeValue(value: any): void {
  switch (typeof value) {
    case 'string':
      return emit(quoteString(value));
    case 'boolean':
      return emit(value ? 'true' : 'false');
    case 'number':
      return emit(finite(value) ? toText(value) : '["n","' + value + '"]');
    case 'undefined':
      return emit('["u"]');
    case 'bigint':
      return emit('"' + toText(value) + '"');
    case 'function':
      return writeFunction(value);
    case 'symbol':
      return emit('["f","symbol"]');
  }
  if (value === null) return emit('null');
  if (held.has(value)) return emit('["x",' + held.get(value) + ']');
  if (++nesting > maxNesting) {
    throw new RangeError('a value is nested too deeply, or contains itself');
  }
  writeObject(value);
  nesting--;
}

// writeFunction writes the kind of a function that is passed as a value (icon={Icon}): a platform component, or another
// function.
function writeFunction(value: unknown): void {
  emit('["f",' + quoteString(markerName(value) ? 'component' : 'function') + ']');
}

function writeObject(value: any): void {
  if (isValidElement(value)) {
    emit('["j"');
    renderChildren(value);
    return emit(']');
  }
  if (isArray(value)) {
    emit('["a"');
    for (let i = 0; i < value.length; i++) {
      emit(',');
      writeValue(value[i]);
    }
    return emit(']');
  }
  if (value instanceof NativeDate) return emit(quoteString(toText(value)));
  if (typeof value.then === 'function') return emit('["f","promise"]');
  if (value instanceof NativeMap || value instanceof Set || value instanceof RegExp || value instanceof NativeError) return emit('["f","object"]');
  emit('["o"');
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    emit(',' + quoteString(names[i]) + ',');
    writeValue(value[names[i]]);
  }
  emit(']');
}

// readValue converts decoded JSON from outside to values.
export function readValue(json: unknown): unknown {
  if (!isArray(json)) return json;
  switch (json[0]) {
    case 'u':
      return undefined;
    case 'n':
      return +json[1];
    case 'a': {
      const list: unknown[] = [];
      for (let i = 1; i < json.length; i++) list[i - 1] = readValue(json[i]);
      return list;
    }
    case 'o': {
      const object = {};
      for (let i = 1; i < json.length; i += 2) {
        defineProperty(object, json[i], { value: readValue(json[i + 1]), writable: true, enumerable: true, configurable: true });
      }
      return object;
    }
    case 'x': {
      const element = makeElement(heldType, { index: json[1] }, null, null);
      held.set(element, json[1]);
      return element;
    }
  }
  return undefined;
}
