// Formats numbers and dates in US English, which authors see when they try their page in a browser with default settings. Other
// languages get the same text instead of an exception.
import { defineProperty, finite, isArray, keys, NativeDate, toText } from './guard';
import { defaultBoth, defaultDate, defaultTime, formatDate } from './intldate';
import type { DateOptions } from './intldate';

// NumberOptions are the options of Intl.NumberFormat that authors use.
interface NumberOptions {
  style?: string;
  notation?: string;
  compactDisplay?: string;
  currency?: string;
  unit?: string;
  signDisplay?: string;
  useGrouping?: boolean;
  minimumIntegerDigits?: number;
  minimumFractionDigits?: number;
  maximumFractionDigits?: number;
  maximumSignificantDigits?: number;
}

function group(digits: string): string {
  let text = '';
  for (let i = 0; i < digits.length; i++) text += (i > 0 && (digits.length - i) % 3 === 0 ? ',' : '') + digits[i];
  return text;
}

const currencySigns: Record<string, string> = {
  USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', BRL: 'R$', CAD: 'CA$', AUD: 'A$', MXN: 'MX$',
};
const compactSteps: [number, string, string][] = [
  [1e12, 'T', ' trillion'], [1e9, 'B', ' billion'], [1e6, 'M', ' million'], [1e3, 'K', ' thousand'],
];

// rounded formats a non-negative number with the number of digits in the options.
function rounded(value: number, low: number, high: number, options: NumberOptions): string {
  if (options.maximumSignificantDigits !== undefined && value !== 0) {
    const place = Math.floor(Math.log10(value)) + 1 - options.maximumSignificantDigits;
    const unit = 10 ** Math.abs(place);
    value = place > 0 ? Math.round(value / unit) * unit : Math.round(value * unit) / unit;
    high = Math.max(0, -place);
    low = 0;
  }
  let [whole, fraction = ''] = value >= 1e21 ? [BigInt(Math.round(value)).toString()] : value.toFixed(Math.min(high, 20)).split('.');
  while (fraction.length > low && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  whole = whole.padStart(options.minimumIntegerDigits || 1, '0');
  return (options.useGrouping === false ? whole : group(whole)) + (fraction ? '.' + fraction : '');
}

function formatNumber(input: unknown, options: NumberOptions): string {
  let value = typeof input === 'bigint' ? Number(input) : +(input as number);
  if (value !== value) return 'NaN';
  const { style = 'decimal', notation } = options;
  const money = style === 'currency';
  const usual = money ? (options.currency === 'JPY' || options.currency === 'KRW' ? 0 : 2) : 0;
  const low = options.minimumFractionDigits ?? (options.maximumFractionDigits !== undefined ? Math.min(usual, options.maximumFractionDigits) : usual);
  let high = options.maximumFractionDigits ?? Math.max(low, money ? usual : style === 'percent' ? 0 : 3);
  const minus = value < 0 || Object.is(value, -0);
  value = Math.abs(value);
  if (style === 'percent') value *= 100;
  let suffix = style === 'percent' ? '%' : '';
  let text = '∞';
  if (finite(value)) {
    let least = low;
    if (notation === 'compact') {
      const step = compactSteps.find(([size]) => value >= size);
      if (step) suffix = step[options.compactDisplay === 'long' ? 2 : 1] + suffix;
      if (step) value /= step[0];
      if (options.maximumFractionDigits === undefined) high = value < 10 ? 1 : 0;
      if (options.minimumFractionDigits === undefined) least = 0;
    }
    text = rounded(value, Math.min(least, high), high, options);
  }
  if (style === 'unit' && options.unit) suffix += ' ' + options.unit;
  const code = toText(options.currency).toUpperCase();
  const sign = minus ? '-' : options.signDisplay === 'always' || (options.signDisplay === 'exceptZero' && value !== 0) ? '+' : '';
  return sign + (money ? currencySigns[code] || code + '\u00a0' : '') + text + suffix;
}

function ordinalRule(n: number): string {
  if (n % 10 === 1 && n % 100 !== 11) return 'one';
  if (n % 10 === 2 && n % 100 !== 12) return 'two';
  return n % 10 === 3 && n % 100 !== 13 ? 'few' : 'other';
}

function formatList(list: Iterable<unknown>, type?: string): string {
  const items = [...list];
  const word = type === 'disjunction' ? 'or' : 'and';
  if (items.length < 2) return items.join('');
  if (items.length === 2) return items.join(' ' + word + ' ');
  return items.slice(0, -1).join(', ') + ', ' + word + ' ' + items[items.length - 1];
}

function formatRelative(value: number, unit: string, numeric?: string): string {
  const name = unit.replace(/s$/, '');
  if (numeric === 'auto' && name === 'day' && Math.abs(value) <= 1) return ['yesterday', 'today', 'tomorrow'][value + 1];
  const amount = formatNumber(Math.abs(value), {}) + ' ' + name + (Math.abs(value) === 1 ? '' : 's');
  return value < 0 || Object.is(value, -0) ? amount + ' ago' : 'in ' + amount;
}

type Methods = Record<string, (options: any, ...args: any[]) => unknown>;

// formatter creates one of Intl's classes from a function of the value and the options.
function formatter(name: string, methods: Methods) {
  const Class = {
    [name]: class {
      [key: string]: any;

      constructor(locale?: unknown, options?: object) {
        this.options = { ...options };
        for (const key of keys(methods)) this[key] = (...args: unknown[]) => methods[key](this.options, ...args);
      }
      resolvedOptions() {
        return { locale: 'en-US', numberingSystem: 'latn', calendar: 'gregory', timeZone: 'UTC', ...this.options };
      }
      static supportedLocalesOf() {
        return ['en-US'];
      }
    },
  }[name];
  return function (...args: [locale?: unknown, options?: object]) {
    return new Class(...args);
  };
}

export function addIntl(): void {
  const put = (object: object, name: string, value: unknown) =>
    defineProperty(object, name, { value, writable: true, configurable: true });
  put(globalThis, 'Intl', {
    NumberFormat: formatter('NumberFormat', {
      format: (options, value) => formatNumber(value, options),
      formatToParts: (options, value) => [{ type: 'literal', value: formatNumber(value, options) }],
    }),
    DateTimeFormat: formatter('DateTimeFormat', {
      format: (options, date) => formatDate(date, options, defaultDate),
      formatToParts: (options, date) => [{ type: 'literal', value: formatDate(date, options, defaultDate) }],
    }),
    PluralRules: formatter('PluralRules', {
      select: (options, n) => (options.type === 'ordinal' ? ordinalRule(Math.abs(n)) : n === 1 ? 'one' : 'other'),
    }),
    ListFormat: formatter('ListFormat', { format: (options, list) => formatList(list, options.type) }),
    RelativeTimeFormat: formatter('RelativeTimeFormat', { format: (options, value, unit) => formatRelative(value, unit, options.numeric) }),
    Collator: formatter('Collator', { compare: (options, a, b) => (a < b ? -1 : a > b ? 1 : 0) }),
    getCanonicalLocales: (list: unknown) => (isArray(list) ? list : list === undefined ? [] : [list]),
  });
  const numbers = {
    toLocaleString(this: number, locale?: unknown, options?: NumberOptions) { return formatNumber(this, { ...options }); },
  };
  const integers = {
    toLocaleString(this: bigint, locale?: unknown, options?: NumberOptions) {
      return formatNumber(BigInt(this), { ...options });
    },
  };
  put(Number.prototype, 'toLocaleString', numbers.toLocaleString);
  put(BigInt.prototype, 'toLocaleString', integers.toLocaleString);
  const dates: Record<string, (this: Date, locale?: unknown, options?: DateOptions) => string> = {
    toLocaleString(locale?: unknown, options?: DateOptions) { return formatDate(this, { ...options }, defaultBoth); },
    toLocaleDateString(locale, options) { return formatDate(this, { ...options }, defaultDate); },
    toLocaleTimeString(locale, options) { return formatDate(this, { ...options }, defaultTime); },
  };
  for (const name of keys(dates)) put(NativeDate.prototype, name, dates[name]);
}
