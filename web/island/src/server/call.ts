// The functions that the Go side calls: define, start and call. call returns a string of JSON.
import { fixDate, fixRandom } from './date';
import { createElement, Fragment, makeElement, slotType } from './element';
import type { VElement } from './element';
import {
  clock, create, defineProperty, install, NativeError, NativeMap, parseJSON, quoteString, setDeadline, toText,
} from './guard';
import { clearHooks, client } from './hooks';
import { clearNotes, note, notes } from './note';
import { clearOutput, emit, failing, needsBrowser, output, runFrame } from './render';
import { marker, missing, React, scopeOf, unknown } from './scope';
import type { Instance } from './scope';
import { addShims } from './shim';
import { readValue, writeValue } from './value';

type Thunk = (props: unknown, slot: (index: number) => VElement | null) => unknown;

// Loaded is a unit that was run with certain variables, or the error that it threw.
interface Loaded extends Instance {
  thunks: Record<number, Thunk>;
  failed: boolean;
  error: unknown;
}

type Unit = (scope: object, api: object) => void;

const units = new NativeMap<string, Unit>(); // by file
const instances = new NativeMap<string, Loaded>(); // by file and variables

// describe formats an untrusted error, whose properties may be getters that throw.
function describe(error: unknown): string {
  let message = 'unknown error';
  try {
    message = error instanceof NativeError ? toText(error.name) + ': ' + toText(error.message) : toText(error);
  } catch {}
  return message.slice(0, 500);
}

function instanceOf(id: string, propsText: string): Loaded {
  const key = id + '\0' + propsText;
  const known = instances.get(key);
  if (known) return known;
  const props = readValue(parseJSON(propsText)) as Record<string, unknown>;
  const instance: Loaded = { thunks: {}, lent: create(null), props, error: null, failed: false };
  const api = {
    h: createElement,
    Fragment,
    React,
    mdx: (file: string) => marker('mdx:' + file),
    missing,
    unknown,
    lend: (names: Record<string, unknown>) => {
      instance.lent = names;
    },
    define: (thunks: Record<number, Thunk>) => {
      instance.thunks = thunks;
    },
  };
  instances.set(key, instance);
  try {
    units.get(id)!(scopeOf(instance), api);
  } catch (error) {
    instance.failed = true;
    instance.error = error;
  }
  return instance;
}

function evaluate(id: string, thunk: number, propsText: string, slots: number): void {
  const instance = instanceOf(id, propsText);
  if (instance.failed) throw instance.error;
  const slot = (index: number) => (index < slots ? makeElement(slotType, { index }, null, null) : null);
  emit('{"value":');
  writeValue(runFrame(() => instance.thunks[thunk](instance.props, slot)));
}

// call runs a thunk with a time limit. Its result has at most limit characters.
export function call(
  id: string, thunk: number, propsText: string, slots: number, milliseconds: number, limit: number,
): string {
  const start = clock();
  clearOutput(limit);
  clearNotes();
  clearHooks();
  setDeadline(start + milliseconds);
  let answer: string;
  try {
    evaluate(id, thunk, propsText, slots);
    answer = output();
  } catch (error) {
    if (needsBrowser(error)) {
      note('this code reads the browser while it loads: it shows nothing without JavaScript');
      return finish('{"value":["j"]', true, start);
    }
    const component = failing !== null && failing.error === error ? failing.name : '';
    answer = '{"error":' + quoteString(describe(error)) + ',"component":' + quoteString(component.slice(0, 100));
  }
  return finish(answer, client, start);
}

function finish(answer: string, isClient: boolean, start: number): string {
  return answer + ',"client":' + isClient + ',"notes":' + listOf(notes) + ',"ms":' + (clock() - start) + '}';
}

function listOf(texts: string[]): string {
  let list = '[';
  for (let i = 0; i < texts.length; i++) list += (i > 0 ? ',' : '') + quoteString(toText(texts[i]).slice(0, 200));
  return list + ']';
}

export function define(id: string, unit: Unit): void {
  units.set(id, unit);
}

// start prepares the environment of a page: the clock is fixed, and random numbers are reproducible.
export function start(now: number, seed: string): boolean {
  fixDate(now);
  fixRandom(seed);
  addShims();
  defineProperty(globalThis, 'React', { value: React, writable: true, configurable: true });
  install();
  return true;
}
