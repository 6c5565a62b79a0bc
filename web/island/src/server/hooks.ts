// Hooks with their behaviour in the first render.
import type { Context } from './element';
import { NativeError } from './guard';

// Frame is the state of the running component.
export interface Frame {
  cells: any[]; // its memory, one cell for each hook
  index: number; // of the next hook's cell
  again: boolean; // it set its own state, so it must run again
}

export let frame: Frame | null = null;
export let client = false; // whether this call used something that must continue in a browser
let nextID = 0;

export function setFrame(next: Frame | null): void {
  frame = next;
}

export function markClient(): void {
  client = true;
}

// clearHooks prepares a call.
export function clearHooks(): void {
  frame = null;
  client = false;
}

// cell returns the frame's next memory cell. Cells are kept when a setState during render repeats the render.
function cell<T>(make: () => T): T {
  if (frame === null) throw new NativeError('hooks can only be called inside a component');
  const i = frame.index++;
  if (i === frame.cells.length) frame.cells[i] = make();
  return frame.cells[i];
}

interface Stored {
  value: any;
  dispatch?: (action: any) => void;
}

function useReducer(reducer: (old: any, action: any) => any, initial: unknown, init?: (initial: unknown) => unknown) {
  markClient();
  const owner = frame;
  const state = cell((): Stored => ({ value: init ? init(initial) : initial }));
  state.dispatch = state.dispatch || ((action: unknown) => {
    const next = reducer(state.value, action);
    if (Object.is(next, state.value)) return;
    state.value = next;
    if (frame !== null && frame === owner) owner.again = true;
  });
  return [state.value, state.dispatch];
}

function useState(initial?: unknown) {
  return useReducer((old, next) => (typeof next === 'function' ? next(old) : next), undefined, () => (typeof initial === 'function' ? initial() : initial));
}

function useMemo(make: () => unknown): unknown {
  return cell(() => ({ value: make() })).value;
}

function useEffect(): void {
  markClient();
  cell(() => null);
}

type Snapshot = () => unknown;

function useSyncExternalStore(subscribe: unknown, getSnapshot: Snapshot, getServerSnapshot?: Snapshot): unknown {
  markClient();
  return cell(() => ({ value: (getServerSnapshot || getSnapshot)() })).value;
}

function use(resource: Context): unknown {
  if (resource && resource.Provider) return resource.current;
  throw resource; // a promise: the nearest Suspense shows its fallback
}

export const hooks = {
  useState,
  useReducer,
  useMemo,
  useEffect,
  useSyncExternalStore,
  use,
  useLayoutEffect: useEffect,
  useInsertionEffect: useEffect,
  useImperativeHandle: useEffect,
  useCallback: (f: unknown) => useMemo(() => f),
  useRef: (initial: unknown) => cell(() => ({ current: initial })),
  useContext: (context: Context) => context.current,
  useId: () => cell(() => ({ id: 'island-' + nextID++ })).id,
  useTransition: () => [false, (f: () => unknown) => f()],
  useDeferredValue: (value: unknown) => value,
  useDebugValue: () => undefined,
  useOptimistic: (value: unknown) => [value, () => undefined],
  useActionState: (action: unknown, state: unknown) => [useState(state)[0], () => undefined, false],
  useEffectEvent: (f: unknown) => f,
};
