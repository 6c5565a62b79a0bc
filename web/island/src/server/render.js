// The renderer runs author components and writes what is left, HTML tags and components of the platform, as compact JSON:
//
//   node    "text" | ["e", name, [prop, value, …], node, …] | ["s", slot] | ["x", held]
//   value   null | true | false | number | "string" | ["u"] | ["n", "NaN"] | ["a", value, …] | ["o", key, value, …]
//           | ["f", type] | ["j", node, …] | ["x", held]
let out = []; // pieces of the answer
let size = 0;
let maxSize = 0;
let depth = 0;
let failing = null; // the innermost component that threw, with its error
const maxDepth = 400;

function emit(text) {
  size += text.length;
  if (size > maxSize) throw new RangeError(outputLimit);
  out[out.length] = text;
}
const outputLimit = 'the output is too large';

function deeper() {
  if (++depth > maxDepth) throw new RangeError('components are nested too deeply');
}

function renderChildren(children) {
  if (children === null || children === undefined || typeof children === 'boolean') return;
  if (typeof children === 'string' || typeof children === 'number' || typeof children === 'bigint') {
    const text = toText(children);
    if (text !== '') emit(',' + quoteString(text));
    return;
  }
  if (typeof children === 'function' || typeof children === 'symbol') {
    if (!markerName(children)) note('a function is not shown: call it or write it as a tag');
    return;
  }
  deeper();
  if (isArray(children)) for (let i = 0; i < children.length; i++) renderChildren(children[i]);
  else if (isValidElement(children)) renderElement(children);
  else if (held.has(children)) emit(',["x",' + held.get(children) + ']');
  else if (typeof children.then === 'function') note('a promise is not shown: pages are rendered at once');
  else if (typeof children[iterate] === 'function') for (const child of children) renderChildren(child);
  else note('an object is not shown: write out one of its fields');
  depth--;
}

function renderElement(element) {
  const { type, props } = element;
  if (typeof type === 'string') return renderTag(type, props, element.ref);
  const name = markerName(type);
  if (name) return renderTag(name, props, element.ref);
  if (type === slotType) return emit(',["s",' + props.index + ']');
  if (type === heldType) return emit(',["x",' + props.index + ']');
  if (type === Fragment) return renderChildren(props.children);
  if (type === Suspense) return renderSuspense(props);
  if (typeof type === 'function') return renderComponent(type, type, props, element.ref);
  if (typeof type === 'object' && type !== null) return renderSpecial(type, props, element.ref);
  note('a tag has no component behind it: the name is undefined');
  renderChildren(props.children);
}

function renderTag(name, props, ref) {
  if (ref) markClient();
  emit(',["e",' + quoteString(name) + ',[');
  let first = true;
  const names = keys(props);
  for (let i = 0; i < names.length; i++) {
    const key = names[i];
    if (key === 'children') continue;
    const value = props[key];
    if (typeof value === 'function' && key.length > 2 && key[0] === 'o' && key[1] === 'n') markClient();
    if (value === undefined) continue;
    emit((first ? '' : ',') + quoteString(key) + ',');
    first = false;
    writeValue(value);
  }
  emit(']');
  if (props.children !== undefined && props.dangerouslySetInnerHTML === undefined) renderChildren(props.children);
  emit(']');
}

function renderSpecial(type, props, ref) {
  switch (type.$$typeof) {
    case memoTag:
      return renderElement(makeElement(type.type, withDefaults(type.type, props), null, ref));
    case forwardTag:
      return renderComponent(type, type.render, withDefaults(type, props), ref);
    case lazyTag:
      throw { then() {} };
    case consumerTag:
      return renderChildren(typeof props.children === 'function' ? props.children(type.context.current) : null);
    case providerTag:
      return provide(type.context, props);
  }
  if (type.Provider) return provide(type, props);
  note('a tag has no component behind it: its name is an object');
}

function withDefaults(type, props) {
  return type && type.defaultProps ? { ...type.defaultProps, ...props } : props;
}

function provide(context, props) {
  const before = context.current;
  context.current = props.value;
  try {
    renderChildren(props.children);
  } finally {
    context.current = before;
  }
}

// attempt renders and, when that throws something it can answer, takes back what was written and renders the answer.
function attempt(render, recover) {
  const at = out.length;
  const sizeAt = size;
  const depthAt = depth;
  const frameAt = frame;
  const nestingAt = nesting;
  try {
    render();
  } catch (error) {
    const answer = recover(error);
    if (answer === undefined) throw error;
    out.length = at;
    size = sizeAt;
    depth = depthAt;
    frame = frameAt;
    nesting = nestingAt;
    failing = null;
    markClient();
    renderChildren(answer);
  }
}

// renderSuspense shows the fallback when a child has to wait: it throws a promise.
function renderSuspense(props) {
  const waits = (error) => typeof error === 'object' && error !== null && typeof error.then === 'function';
  attempt(() => renderChildren(props.children), (error) => (waits(error) ? props.fallback ?? null : undefined));
}

// needsBrowser: the error is what comes of reading window or document without asking whether they are there. React would leave such
// a component to the browser, and so do we.
function needsBrowser(error) {
  return touchedBrowser && (error instanceof TypeError || error instanceof ReferenceError);
}
let touchedBrowser = false;

function nameOf(type, f) {
  const name = type.displayName || f.displayName || f.name;
  return typeof name === 'string' && name !== '' ? name : 'a component';
}

function renderComponent(type, f, props, ref) {
  const touchedBefore = touchedBrowser;
  touchedBrowser = false;
  attempt(() => {
    deeper();
    try {
      renderChildren(f.prototype && typeof f.prototype.render === 'function' ? renderClass(f, props) : runFrame(() => f(props, ref)));
    } catch (error) {
      if (failing === null || failing.error !== error) failing = { error, name: nameOf(type, f) };
      throw error;
    }
    depth--;
  }, (error) => {
    if (!needsBrowser(error)) return undefined;
    note(nameOf(type, f) + ' reads the browser while it renders: it shows nothing without JavaScript');
    return null;
  });
  touchedBrowser = touchedBrowser || touchedBefore;
}

// runFrame calls a function with memory for hooks, again while it sets its own state.
function runFrame(f) {
  const before = frame;
  const mine = { cells: [], index: 0, again: false };
  try {
    for (let i = 0; i < 25; i++) {
      frame = mine;
      mine.index = 0;
      mine.again = false;
      const result = f();
      if (!mine.again) return result;
    }
    throw new NativeError('too many renders: the component sets its state each time');
  } finally {
    frame = before;
  }
}

function renderClass(Class, props) {
  const instance = new Class(props, Class.contextType ? Class.contextType.current : undefined);
  instance.props = props;
  if (Class.contextType) instance.context = Class.contextType.current;
  if (instance.state === undefined) instance.state = null;
  if (Class.getDerivedStateFromProps) instance.state = { ...instance.state, ...Class.getDerivedStateFromProps(props, instance.state) };
  if (instance.state || instance.componentDidMount || instance.componentDidUpdate) markClient();
  return instance.render();
}
