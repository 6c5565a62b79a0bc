// Globals that pages expect in addition to the language. None of them has an external effect: timers never fire, messages are
// discarded.
import { pad } from './date';
import { defineProperty, isArray, keys, NativeDate, NativeMap, toText } from './guard';
import { addIntl } from './intl';
import { URL, URLSearchParams } from './url';

export function addShims(): void {
  const put = (name: string, value: unknown) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const silent = () => undefined;
  const console: Record<string, unknown> = {};
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir', 'group', 'groupCollapsed', 'groupEnd', 'time', 'timeEnd', 'assert', 'count']) {
    console[name] = silent;
  }
  put('console', console);
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) put(name, () => 0);
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask']) put(name, silent);
  put('TextEncoder', TextEncoder);
  put('TextDecoder', TextDecoder);
  put('URL', URL);
  put('URLSearchParams', URLSearchParams);
  put('atob', atob);
  put('btoa', btoa);
  put('structuredClone', (value: unknown) => copy(value, new NativeMap()));
  addIntl();
}

class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }
  encode(text: unknown = ''): Uint8Array {
    const escaped = encodeURIComponent(toText(text).toWellFormed());
    const bytes: number[] = [];
    for (let i = 0; i < escaped.length; i++) {
      if (escaped[i] === '%') {
        bytes.push(parseInt(escaped.slice(i + 1, i + 3), 16));
        i += 2;
      } else bytes.push(escaped.charCodeAt(i));
    }
    return new Uint8Array(bytes);
  }
}

class TextDecoder {
  get encoding(): string {
    return 'utf-8';
  }
  decode(bytes: Iterable<number> | ArrayBuffer = []): string {
    let escaped = '';
    for (const byte of bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes) escaped += '%' + pad(byte.toString(16));
    try {
      return decodeURIComponent(escaped);
    } catch {
      return '\ufffd';
    }
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function btoa(text: unknown): string {
  const s = toText(text);
  let result = '';
  for (let i = 0; i < s.length; i += 3) {
    const [a, b, c] = [s.charCodeAt(i), s.charCodeAt(i + 1), s.charCodeAt(i + 2)];
    if (a > 255 || b > 255 || c > 255) throw new RangeError('btoa takes characters up to U+00FF');
    result += alphabet[a >> 2] + alphabet[((a & 3) << 4) | (b >> 4)];
    result += (i + 1 < s.length ? alphabet[((b & 15) << 2) | (c >> 6)] : '=') + (i + 2 < s.length ? alphabet[c & 63] : '=');
  }
  return result;
}

function atob(text: unknown): string {
  const s = toText(text).replace(/[\t\n\f\r ]/g, '').replace(/={1,2}$/, '');
  let [result, bits, count]: [string, number, number] = ['', 0, 0];
  for (const letter of s) {
    const value = alphabet.indexOf(letter);
    if (value < 0) throw new RangeError('atob takes base64');
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      result += String.fromCharCode((bits >> count) & 255);
    }
  }
  return result;
}

// copy is structuredClone for the values that pages use.
function copy(value: any, seen: Map<unknown, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('functions cannot be cloned');
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (value instanceof NativeDate) return new Date(value.getTime());
  if (value instanceof NativeMap) return new NativeMap([...value].map(([k, v]) => [copy(k, seen), copy(v, seen)]));
  if (value instanceof Set) return new Set([...value].map((v) => copy(v, seen)));
  const result: any = isArray(value) ? [] : {};
  seen.set(value, result);
  for (const key of keys(value)) result[key] = copy(value[key], seen);
  return result;
}
