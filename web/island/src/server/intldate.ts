// Formats dates; see intl.ts. All times are UTC.
import { days, months, pad } from './date';
import { NativeDate, toText } from './guard';

// DateOptions are the options of Intl.DateTimeFormat that authors use.
export interface DateOptions {
  [name: string]: unknown;
  dateStyle?: string;
  timeStyle?: string;
  weekday?: string;
  year?: string;
  month?: string;
  day?: string;
  hour?: string;
  minute?: string;
  second?: string;
  hour12?: boolean;
  hourCycle?: string;
  timeZoneName?: string;
}

export const defaultDate: DateOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };
export const defaultTime: DateOptions = { hour: 'numeric', minute: '2-digit', second: '2-digit' };
export const defaultBoth: DateOptions = { ...defaultDate, ...defaultTime };
const dateStyles: Record<string, DateOptions> = {
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
};
const timeStyles: Record<string, DateOptions> = {
  full: { ...defaultTime, timeZoneName: 'long' },
  long: { ...defaultTime, timeZoneName: 'short' },
  medium: defaultTime,
  short: { hour: 'numeric', minute: '2-digit' },
};
const dateFields = ['weekday', 'era', 'year', 'month', 'day', 'dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];

function wanted(options: DateOptions, defaults: DateOptions): DateOptions {
  const { dateStyle, timeStyle, hour12 } = options;
  if (dateStyle || timeStyle) return { ...dateStyles[dateStyle as string], ...timeStyles[timeStyle as string], hour12 };
  return dateFields.some((field) => options[field] !== undefined) ? options : { ...options, ...defaults };
}

function datePart(date: Date, o: DateOptions): string {
  const year = o.year === undefined ? '' : o.year === '2-digit' ? pad(date.getUTCFullYear() % 100) : toText(date.getUTCFullYear());
  const day = o.day === undefined ? '' : o.day === '2-digit' ? pad(date.getUTCDate()) : toText(date.getUTCDate());
  const name = days[date.getUTCDay()];
  const weekday = o.weekday === undefined ? '' : o.weekday === 'long' ? name : o.weekday === 'narrow' ? name[0] : name.slice(0, 3);
  const long = months[date.getUTCMonth()];
  if (o.month === 'long' || o.month === 'short' || o.month === 'narrow') {
    const month = o.month === 'long' ? long : o.month === 'narrow' ? long[0] : long.slice(0, 3);
    const monthDay = day ? month + ' ' + day : month;
    const rest = year ? monthDay + (day ? ', ' : ' ') + year : monthDay;
    return weekday ? weekday + ', ' + rest : rest;
  }
  const month = o.month === undefined ? '' : o.month === '2-digit' ? pad(date.getUTCMonth() + 1) : toText(date.getUTCMonth() + 1);
  const rest = [month, day, year].filter((part) => part !== '').join('/');
  return [weekday, rest].filter((part) => part !== '').join(', ');
}

function timePart(date: Date, o: DateOptions): string {
  if (o.hour === undefined && o.minute === undefined && o.second === undefined) return '';
  const hours = date.getUTCHours();
  const military = o.hour12 === false || o.hourCycle === 'h23';
  const parts: string[] = [];
  if (o.hour !== undefined) {
    const shown = military ? hours : hours % 12 || 12;
    parts.push(o.hour === '2-digit' || military ? pad(shown) : toText(shown));
  }
  if (o.minute !== undefined) parts.push(o.hour !== undefined || o.second !== undefined || o.minute === '2-digit' ? pad(date.getUTCMinutes()) : toText(date.getUTCMinutes()));
  if (o.second !== undefined) parts.push(o.minute !== undefined || o.second === '2-digit' ? pad(date.getUTCSeconds()) : toText(date.getUTCSeconds()));
  return parts.join(':') + (o.hour !== undefined && !military ? (hours < 12 ? ' AM' : ' PM') : '');
}

export function formatDate(input: unknown, options: DateOptions, defaults: DateOptions): string {
  const date = input === undefined ? new Date() : input instanceof NativeDate ? input : new Date(input as number);
  if (date.getTime() !== date.getTime()) return 'Invalid Date';
  const o = wanted(options, defaults);
  const zone = o.timeZoneName === 'long' ? ' Coordinated Universal Time' : o.timeZoneName ? ' UTC' : '';
  const join = options.dateStyle === 'full' || options.dateStyle === 'long' ? ' at ' : ', ';
  return [datePart(date, o), timePart(date, o)].filter((part) => part !== '').join(join) + zone;
}
