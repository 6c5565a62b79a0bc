// A page must be reproducible: the clock is fixed, local time is UTC, and random numbers are derived from a seed.
import { apply, defineProperty, NativeDate, toText } from './guard';

const zoneAtEnd = /(Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(\([^)]*\))?$/i;
const dateOnly = /^\s*[+-]?\d{4,6}(-\d\d){0,2}\s*$/;
export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const months = ['January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December'];

export function pad(n: unknown, width = 2): string {
  return toText(n).padStart(width, '0');
}

// parseUTC parses a date; a time without a zone is UTC.
function parseUTC(text: string): number {
  const time = NativeDate.parse(text);
  if (zoneAtEnd.test(text) || dateOnly.test(text) || time !== time) return time;
  return time - nativeOffset(new NativeDate(time)) * 60000;
}
const offsetMethod = Date.prototype.getTimezoneOffset;
const nativeOffset = (date: Date): number => apply(offsetMethod, date, []);

function timeOf(args: any[], now: number): number {
  if (args.length === 0) return now;
  if (args.length > 1) return NativeDate.UTC(...(args as [number, number]));
  const value = args[0] instanceof NativeDate ? args[0].getTime() : args[0];
  const primitive = typeof value === 'object' && value !== null ? value[Symbol.toPrimitive] ? value[Symbol.toPrimitive]('default') : value.valueOf() : value;
  return typeof primitive === 'string' ? parseUTC(primitive) : +primitive;
}

export function fixDate(now: number): void {
  const prototype: any = NativeDate.prototype;
  function Date(...args: unknown[]) {
    if (new.target === undefined) return new NativeDate(now).toString();
    return Reflect.construct(NativeDate, [timeOf(args, now)], new.target);
  }
  Date.prototype = prototype;
  const put = (object: object, name: string, value: unknown) =>
    defineProperty(object, name, { value, writable: true, configurable: true });
  put(Date, 'name', 'Date'); // the bundler may have renamed it
  put(Date, 'now', () => now);
  put(Date, 'parse', (text: unknown) => parseUTC(toText(text)));
  put(Date, 'UTC', NativeDate.UTC);
  put(prototype, 'constructor', Date);
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    put(prototype, 'get' + part, prototype['getUTC' + part]);
    if (part !== 'Day') put(prototype, 'set' + part, prototype['setUTC' + part]);
  }
  put(prototype, 'getTimezoneOffset', () => 0);
  const day = (d: Date) => days[d.getUTCDay()].slice(0, 3) + ' ' + months[d.getUTCMonth()].slice(0, 3) + ' ' +
    pad(d.getUTCDate()) + ' ' + pad(d.getUTCFullYear(), 4);
  const clockTime = (d: Date) => pad(d.getUTCHours()) + ':' + pad(d.getUTCMinutes()) + ':' + pad(d.getUTCSeconds()) +
    ' GMT+0000 (Coordinated Universal Time)';
  const valid = (d: Date, text: (d: Date) => string) => (d.getTime() === d.getTime() ? text(d) : 'Invalid Date');
  const both = (d: Date) => day(d) + ' ' + clockTime(d);
  put(prototype, 'toString', { toString(this: Date) { return valid(this, both); } }.toString);
  put(prototype, 'toDateString', { toDateString(this: Date) { return valid(this, day); } }.toDateString);
  put(prototype, 'toTimeString', { toTimeString(this: Date) { return valid(this, clockTime); } }.toTimeString);
  put(globalThis, 'Date', Date);
}

// fixRandom replaces Math.random by mulberry32, initialized with a hash of the seed. The numbers need not be secret.
export function fixRandom(seed: string): void {
  let state = 2166136261;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619);
  const { imul } = Math;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = imul(state ^ (state >>> 15), 1 | state);
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
