// Elements, as React describes them. The tag is a symbol, so that data can never pass for an element.
const elementTag = Symbol('element');
const Fragment = Symbol('Fragment');
const Suspense = Symbol('Suspense');
const StrictMode = Fragment;
const slotType = Symbol('slot'); // content that was passed in, by number
const heldType = Symbol('held'); // a value that stays outside, by number

function makeElement(type, props, key, ref) {
  return { $$typeof: elementTag, type, key, ref, props };
}

function isValidElement(value) {
  return typeof value === 'object' && value !== null && value.$$typeof === elementTag;
}

function createElement(type, config, ...children) {
  const props = {};
  let key = null;
  let ref = null;
  if (config !== null && config !== undefined) {
    const names = keys(config);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name === 'key') key = toText(config.key);
      else if (name === 'ref') ref = config.ref;
      else if (name !== '__self' && name !== '__source') props[name] = config[name];
    }
  }
  if (children.length === 1) props.children = children[0];
  else if (children.length > 1) props.children = children;
  const defaults = typeof type === 'function' && !markerName(type) ? type.defaultProps : undefined;
  if (defaults) {
    for (const name of keys(defaults)) if (props[name] === undefined) props[name] = defaults[name];
  }
  return makeElement(type, props, key, ref);
}

// jsx is createElement of the automatic runtime: children are in the props and the key comes last.
function jsx(type, props, key) {
  return createElement(type, key === undefined ? props : { ...props, key });
}

function cloneElement(element, config, ...children) {
  if (!isValidElement(element)) throw new TypeError('cloneElement needs an element');
  const next = { ...element.props };
  let { key, ref } = element;
  if (config !== null && config !== undefined) {
    for (const name of keys(config)) {
      if (name === 'key') key = toText(config.key);
      else if (name === 'ref') ref = config.ref;
      else next[name] = config[name];
    }
  }
  if (children.length === 1) next.children = children[0];
  else if (children.length > 1) next.children = children;
  return makeElement(element.type, next, key, ref);
}

// Children works on whatever children are: nothing, one, or nested lists.
function flatten(children, out = []) {
  if (isArray(children)) {
    for (let i = 0; i < children.length; i++) flatten(children[i], out);
  } else if (children !== null && typeof children === 'object' && !isValidElement(children) && typeof children[iterate] === 'function') {
    for (const child of children) flatten(child, out);
  } else {
    out[out.length] = children === undefined || typeof children === 'boolean' ? null : children;
  }
  return out;
}

const Children = {
  map(children, f, self) {
    if (children === null || children === undefined) return children;
    const out = [];
    const list = flatten(children);
    for (let i = 0; i < list.length; i++) flatten(apply(f, self, [list[i], i]), out);
    return out.filter((child) => child !== null);
  },
  forEach(children, f, self) {
    Children.map(children, f, self);
  },
  count(children) {
    return children === null || children === undefined ? 0 : flatten(children).length;
  },
  toArray(children) {
    return children === null || children === undefined ? [] : flatten(children).filter((child) => child !== null);
  },
  only(children) {
    if (!isValidElement(children)) throw new TypeError('Children.only needs exactly one element');
    return children;
  },
};

// Kinds of component that are objects.
const memoTag = Symbol('memo');
const forwardTag = Symbol('forwardRef');
const lazyTag = Symbol('lazy');
const providerTag = Symbol('provider');
const consumerTag = Symbol('consumer');

const memo = (type) => ({ $$typeof: memoTag, type });
const forwardRef = (render) => ({ $$typeof: forwardTag, render });
const lazy = (load) => ({ $$typeof: lazyTag, load });

function createContext(defaultValue) {
  const context = { current: defaultValue, displayName: undefined };
  context.Provider = { $$typeof: providerTag, context };
  context.Consumer = { $$typeof: consumerTag, context };
  return context;
}

class Component {
  constructor(props, context) {
    this.props = props;
    this.context = context;
    this.refs = {};
  }
  setState(change, done) {
    const patch = typeof change === 'function' ? change(this.state, this.props) : change;
    if (patch !== null && patch !== undefined) this.state = { ...this.state, ...patch };
    markClient();
  }
  forceUpdate() {
    markClient();
  }
}
Component.prototype.isReactComponent = {};
class PureComponent extends Component {}
