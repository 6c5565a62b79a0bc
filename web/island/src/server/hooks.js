// Hooks as they behave in the first render. A frame is the component that runs.
let frame = null;
let client = false; // whether this call met something that only a browser can go on with
let nextID = 0;

function markClient() {
  client = true;
}

// cell is the frame's next piece of memory. It lives through renders that a setState during render repeats.
function cell(make) {
  if (frame === null) throw new NativeError('hooks can only be called inside a component');
  const i = frame.index++;
  if (i === frame.cells.length) frame.cells[i] = make();
  return frame.cells[i];
}

function useReducer(reducer, initial, init) {
  markClient();
  const owner = frame;
  const state = cell(() => ({ value: init ? init(initial) : initial }));
  state.dispatch = state.dispatch || ((action) => {
    const next = reducer(state.value, action);
    if (Object.is(next, state.value)) return;
    state.value = next;
    if (frame === owner) owner.again = true;
  });
  return [state.value, state.dispatch];
}

function useState(initial) {
  return useReducer((old, next) => (typeof next === 'function' ? next(old) : next), undefined, () => (typeof initial === 'function' ? initial() : initial));
}

function useMemo(make) {
  return cell(() => ({ value: make() })).value;
}

function useEffect() {
  markClient();
  cell(() => null);
}

function useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot) {
  markClient();
  return cell(() => ({ value: (getServerSnapshot || getSnapshot)() })).value;
}

function use(resource) {
  if (resource && resource.Provider) return resource.current;
  throw resource; // a promise: the nearest Suspense shows its fallback
}

const hooks = {
  useState,
  useReducer,
  useMemo,
  useEffect,
  useSyncExternalStore,
  use,
  useLayoutEffect: useEffect,
  useInsertionEffect: useEffect,
  useImperativeHandle: useEffect,
  useCallback: (f) => useMemo(() => f),
  useRef: (initial) => cell(() => ({ current: initial })),
  useContext: (context) => context.current,
  useId: () => cell(() => ({ id: 'island-' + nextID++ })).id,
  useTransition: () => [false, (f) => f()],
  useDeferredValue: (value) => value,
  useDebugValue: () => undefined,
  useOptimistic: (value) => [value, () => undefined],
  useActionState: (action, state) => [useState(state)[0], () => undefined, false],
  useEffectEvent: (f) => f,
};
