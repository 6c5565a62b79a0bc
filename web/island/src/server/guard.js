// What matters of JavaScript itself is taken before author code can change it. An author who replaces other built-ins (Array.prototype.filter)
// spoils nothing but their own page: its engine is thrown away, and the Go side checks whatever comes back.
const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect;
const { keys, create } = Object;
const { isArray } = Array;
const quoteString = JSON.stringify; // used on strings only, for which no toJSON is asked
const parseJSON = JSON.parse;
const NativeMap = Map;
const NativeWeakMap = WeakMap;
const NativeDate = Date;
const NativeError = Error;
const clock = Date.now;
const toText = String;
const { isFinite: finite } = Number;
const iterate = Symbol.iterator;

// Loops in the hot paths below count: for-of and destructuring would go through the guarded iterator.

// The engine looks at its time limit between steps of bytecode, not within built-in loops. Such a loop over a length that nobody had to
// pay for (new Array(4e9), {length: 2 ** 53}) would run for hours. So built-ins that loop over a length refuse absurd ones, and
// the costly ones look at the clock themselves.
const maxLength = 2e6; // elements; pages have hundreds
const maxWork = 1e9; // characters compared by one search
let deadline = Infinity; // in milliseconds of clock(); set for each call

function tooLong() {
  throw new RangeError('array too long');
}

function inTime(work) {
  if (work > 1e4 && clock() > deadline) throw new RangeError('out of time');
}

function lengthOf(value) {
  if (value === null || value === undefined) return 0;
  const n = +value.length;
  return n > 0 ? n : 0;
}

function checkLength(value) {
  const n = lengthOf(value);
  if (n > maxLength) tooLong();
  inTime(n);
}

// guard replaces a built-in by itself with a check in front.
function guard(object, name, check) {
  const native = object[name];
  if (typeof native !== 'function') return;
  const { [name]: value } = {
    [name](...args) {
      check(this, args);
      return apply(native, this, args);
    },
  };
  defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
}

function install() {
  for (const name of ownKeys(Array.prototype)) {
    if (name === 'constructor' || name === 'length' || name === 'push' || name === 'pop' || name === 'at') continue;
    guard(Array.prototype, name, name === 'concat' ? (self, args) => {
      checkLength(self);
      for (let i = 0; i < args.length; i++) if (isArray(args[i])) checkLength(args[i]);
    } : checkLength);
  }
  guard(Array, 'from', (self, args) => checkLength(args[0]));
  guard(String, 'raw', (self, args) => checkLength(args[0] && args[0].raw));
  const search = (self, args) => {
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
