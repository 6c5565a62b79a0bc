// URLs, to the extent that pages parse them: scheme, host, path, query, hash, and relative URLs with a base.
import { defineProperty, iterate, keys, toText } from './guard';

const urlForm = /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^:/?#]*)(?::(\d+))?)?([^?#]*)(\?[^#]*)?(#.*)?$/i;
const usualPorts: Record<string, string> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21' };

function straighten(path: string): string {
  const result: string[] = [];
  const parts = path.split('/');
  parts.forEach((part, i) => {
    if (part === '..') result.length > 1 && result.pop();
    else if (part !== '.') result.push(part);
    if ((part === '.' || part === '..') && i === parts.length - 1) result.push('');
  });
  return result.join('/');
}

// against resolves a relative URL.
function against(text: string, base: string): string {
  if (urlForm.test(text)) return text;
  const from = new URL(base);
  const root = from.protocol + '//' + from.host;
  if (text.startsWith('//')) return from.protocol + text;
  if (text.startsWith('/')) return root + text;
  if (text.startsWith('?')) return root + from.pathname + text;
  if (text.startsWith('#')) return root + from.pathname + from.search + text;
  return root + from.pathname.replace(/[^/]*$/, '') + text;
}

export class URL {
  declare protocol: string;
  declare username: string;
  declare password: string;
  declare hostname: string;
  declare port: string;
  declare pathname: string;
  declare hash: string;
  declare searchParams: URLSearchParams;
  declare private query: string; // with its question mark

  constructor(input: unknown, base?: unknown) {
    const text = toText(input).trim();
    const parts = urlForm.exec(base === undefined ? text : against(text, toText(base)));
    if (!parts) throw new TypeError('Invalid URL');
    const [, protocol, username = '', password = '', host = '', port = '', path, search = '', hash = ''] = parts;
    this.protocol = protocol.toLowerCase();
    this.username = username;
    this.password = password;
    this.hostname = host.toLowerCase();
    this.port = usualPorts[this.protocol] === port ? '' : port;
    const special = usualPorts[this.protocol] !== undefined;
    if (special && host === '') throw new TypeError('Invalid URL');
    this.pathname = encodeURI(special ? straighten(path || '/') : path).replace(/%25([0-9a-f]{2})/gi, '%$1');
    this.hash = hash === '#' ? '' : hash;
    this.searchParams = new URLSearchParams(search);
    this.query = search === '?' ? '' : search.replace(/ /g, '%20');
    this.searchParams.changed = () => {
      const next = this.searchParams.toString();
      this.query = next && '?' + next;
    };
    defineProperty(this, 'query', { enumerable: false });
  }
  get search(): string {
    return this.query;
  }
  set search(text: string) {
    this.query = text === '' || text === '?' ? '' : '?' + toText(text).replace(/^\?/, '');
    this.searchParams.read(this.query);
  }
  get host(): string {
    return this.hostname + (this.port && ':' + this.port);
  }
  get origin(): string {
    return usualPorts[this.protocol] === undefined ? 'null' : this.protocol + '//' + this.host;
  }
  get href(): string {
    const user = this.username && this.username + (this.password && ':' + this.password) + '@';
    const slashes = usualPorts[this.protocol] !== undefined || this.hostname ? '//' : '';
    return this.protocol + slashes + user + this.host + this.pathname + this.search + this.hash;
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }
  static canParse(input: unknown, base?: unknown): boolean {
    return canParse(input, base);
  }
}

// canParse is outside of the class, because the bundler renames a class that refers to itself, and authors can see the
// name.
function canParse(input: unknown, base: unknown): boolean {
  try {
    return new URL(input, base) !== null;
  } catch {
    return false;
  }
}

function unescapePlus(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

function escapePlus(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%20/g, '+').replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
}

function isIterable(value: object): value is Iterable<[unknown, unknown]> {
  return typeof (value as any)[iterate] === 'function';
}

export class URLSearchParams {
  declare private list: [string, string][];
  declare changed: () => void; // called after a change

  constructor(init: string | Iterable<[unknown, unknown]> | Record<string, unknown> = '') {
    defineProperty(this, 'list', { value: [], writable: true });
    defineProperty(this, 'changed', { value: () => undefined, writable: true });
    if (typeof init === 'string') this.read(init);
    else if (isIterable(init)) for (const [name, value] of init) this.list.push([toText(name), toText(value)]);
    else for (const name of keys(init)) this.list.push([name, toText(init[name])]);
  }
  read(text: string): void {
    this.list = text.replace(/^\?/, '').split('&').filter((part) => part !== '').map((part): [string, string] => {
      const at = part.indexOf('=');
      return at < 0 ? [unescapePlus(part), ''] : [unescapePlus(part.slice(0, at)), unescapePlus(part.slice(at + 1))];
    });
  }
  get(name: string): string | null {
    const found = this.list.find(([key]) => key === name);
    return found ? found[1] : null;
  }
  getAll(name: string): string[] {
    return this.list.filter(([key]) => key === name).map(([, value]) => value);
  }
  has(name: string): boolean {
    return this.list.some(([key]) => key === name);
  }
  append(name: unknown, value: unknown): void {
    this.list.push([toText(name), toText(value)]);
    this.changed();
  }
  delete(name: string): void {
    this.list = this.list.filter(([key]) => key !== name);
    this.changed();
  }
  set(name: string, value: unknown): void {
    const found = this.list.find(([key]) => key === name);
    if (!found) return this.append(name, value);
    this.list = this.list.filter((pair) => pair === found || pair[0] !== name);
    found[1] = toText(value);
    this.changed();
  }
  sort(): void {
    this.list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.changed();
  }
  forEach(f: (value: string, name: string, all: URLSearchParams) => void): void {
    for (const [name, value] of this.list) f(value, name, this);
  }
  keys() {
    return this.list.map(([name]) => name).values();
  }
  values() {
    return this.list.map(([, value]) => value).values();
  }
  entries() {
    return this.list.map((pair) => [...pair]).values();
  }
  get size(): number {
    return this.list.length;
  }
  [iterate]() {
    return this.entries();
  }
  toString(): string {
    return this.list.map(([name, value]) => escapePlus(name) + '=' + escapePlus(value)).join('&');
  }
}
