// The built-ins that matter are copied before author code can change them, because every module of the prelude is loaded
// first. An author who replaces other built-ins (Array.prototype.filter) only breaks their own page: its engine is
// discarded, and the Go side validates all results.
export const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
const { ownKeys } = Reflect;
export const { keys, create } = Object;
export const { isArray } = Array;
export const quoteString: (text: string) => string = JSON.stringify; // for strings, no toJSON is called
export const parseJSON: (text: string) => unknown = JSON.parse;
export const NativeMap = Map;
export const NativeWeakMap = WeakMap;
export const NativeDate = Date;
export const NativeError = Error;
export const clock = Date.now;
export const toText = String;
export const { isFinite: finite } = Number;
export const iterate = Symbol.iterator;

// Hot paths below use counting loops, because for-of and destructuring would use the guarded iterator.

// The engine checks its time limit between bytecode instructions, not inside built-in loops. Such a loop over a huge length that costs
// nothing to create (new Array(4e9), {length: 2 ** 53}) would run for hours. So built-ins that loop over a length reject absurd
// lengths, and the expensive ones check the clock themselves.
const maxLength = 2e6; // elements; pages have hundreds
const maxWork = 1e9; // characters compared by one search
let deadline = Infinity; // in milliseconds of clock()

// setDeadline is called before each call.
export function setDeadline(at: number): void {
  deadline = at;
}

function tooLong(): never {
  throw new RangeError('array too long');
}

function inTime(work: number): void {
  if (work > 1e4 && clock() > deadline) throw new RangeError('out of time');
}

function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  const n = +(value as { length: number }).length;
  return n > 0 ? n : 0;
}

function checkLength(value: unknown): void {
  const n = lengthOf(value);
  if (n > maxLength) tooLong();
  inTime(n);
}

// Check validates a call of a built-in: its receiver and its arguments.
type Check = (self: unknown, args: any[]) => void;

// guard adds a check before each call of a built-in.
function guard(object: any, name: string | symbol, check: Check): void {
  const native = object[name];
  if (typeof native !== 'function') return;
  const named: Record<PropertyKey, unknown> = {
    [name](this: unknown, ...args: unknown[]) {
      check(this, args);
      return apply(native, this, args);
    },
  };
  defineProperty(object, name, { value: named[name], writable: true, configurable: true, enumerable: false });
}

// install guards the built-ins.
export function install(): void {
  for (const name of ownKeys(Array.prototype)) {
    if (name === 'constructor' || name === 'length' || name === 'push' || name === 'pop' || name === 'at') continue;
    guard(Array.prototype, name, name === 'concat' ? (self: unknown, args: unknown[]) => {
      checkLength(self);
      for (let i = 0; i < args.length; i++) if (isArray(args[i])) checkLength(args[i]);
    } : checkLength);
  }
  guard(Array, 'from', (self, args) => checkLength(args[0]));
  guard(String, 'raw', (self, args) => checkLength(args[0] && args[0].raw));
  const search: Check = (self, args) => {
    const n = lengthOf(self);
    inTime(n);
    if (typeof args[0] === 'string' && n * args[0].length > maxWork) throw new RangeError('search too long');
  };
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']) guard(String.prototype, name, search);
  for (const name of ['normalize', 'toUpperCase', 'toLowerCase', 'localeCompare', 'match', 'matchAll', 'search', 'trim', 'concat']) {
    guard(String.prototype, name, (self) => inTime(lengthOf(self)));
  }
  guard(BigInt.prototype, 'toString', () => inTime(1e9));
  guard(JSON, 'parse', (self, args) => inTime(lengthOf(args[0])));
}
