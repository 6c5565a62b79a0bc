// What the Go side calls: define, start and call. Every call answers with one string of JSON.
const units = new NativeMap(); // file → compiled function
const instances = new NativeMap(); // file and variables → thunks, or the error that loading them threw
let notes = [];
const maxNotes = 20;

function note(text) {
  if (notes.length < maxNotes && !notes.includes(text)) notes[notes.length] = text;
}

// describe words an error without trusting it: any property may be a getter that throws.
function describe(error) {
  let message = 'unknown error';
  try {
    message = error instanceof NativeError ? toText(error.name) + ': ' + toText(error.message) : toText(error);
  } catch {}
  return message.slice(0, 500);
}

function instanceOf(id, propsText) {
  const key = id + '\0' + propsText;
  const known = instances.get(key);
  if (known) return known;
  const instance = { thunks: {}, lent: create(null), props: readValue(parseJSON(propsText)), error: null, failed: false };
  const api = {
    h: createElement,
    Fragment,
    React,
    mdx: (file) => marker('mdx:' + file),
    missing,
    unknown,
    lend: (names) => {
      instance.lent = names;
    },
    define: (thunks) => {
      instance.thunks = thunks;
    },
  };
  instances.set(key, instance);
  try {
    units.get(id)(scopeOf(instance), api);
  } catch (error) {
    instance.failed = true;
    instance.error = error;
  }
  return instance;
}

function evaluate(id, thunk, propsText, slots) {
  const instance = instanceOf(id, propsText);
  if (instance.failed) throw instance.error;
  const slot = (index) => (index < slots ? makeElement(slotType, { index }, null, null) : null);
  emit('{"value":');
  writeValue(runFrame(() => instance.thunks[thunk](instance.props, slot)));
}

function call(id, thunk, propsText, slots, milliseconds, limit) {
  const start = clock();
  out = [];
  notes = [];
  size = depth = nesting = 0;
  maxSize = limit;
  failing = frame = null;
  client = touchedBrowser = false;
  deadline = start + milliseconds;
  let answer;
  try {
    evaluate(id, thunk, propsText, slots);
    answer = out.join('');
  } catch (error) {
    out = [];
    if (needsBrowser(error)) {
      note('this code reads the browser while it loads: it shows nothing without JavaScript');
      return finish('{"value":["j"]', true, start);
    }
    const component = failing !== null && failing.error === error ? failing.name : '';
    answer = '{"error":' + quoteString(describe(error)) + ',"component":' + quoteString(component.slice(0, 100));
  }
  return finish(answer, client, start);
}

function finish(answer, isClient, start) {
  return answer + ',"client":' + isClient + ',"notes":' + listOf(notes) + ',"ms":' + (clock() - start) + '}';
}

function listOf(texts) {
  let list = '[';
  for (let i = 0; i < texts.length; i++) list += (i > 0 ? ',' : '') + quoteString(toText(texts[i]).slice(0, 200));
  return list + ']';
}

function define(id, unit) {
  units.set(id, unit);
}

// start prepares the world of a page: its clock stands still and its randomness repeats.
function start(now, seed) {
  fixDate(now);
  fixRandom(seed);
  addShims();
  defineProperty(globalThis, 'React', { value: React, writable: true, configurable: true });
  install();
  return true;
}

return { start, define, call };
