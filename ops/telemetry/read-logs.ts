import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A line that a process wrote. */
export interface LogLine {
  process: string
  /** null: it is not one of our programs, which say when. */
  at: Date | null
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | null
  message: string
  /** The other fields of the line. */
  fields: Readonly<Record<string, unknown>>
}

/** Which lines are wanted: those that fit all that is given. */
export interface LogFilter {
  process?: string
  /** What its answer has as X-Request-Id. */
  request?: string
  /** An address. */
  wallet?: string
  source?: string
  /** The id of a workflow or of one of its runs. */
  workflow?: string
}

/** A place in the log of a process, up to which it is read. */
export type LogPlaces = Map<string, number>

/** Read from the end of a file at most. */
const MOST_BYTES = 4_000_000
const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' } as const

/** Names of the processes that have a log in the folder. */
export const logProcesses = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .flatMap((file) => (file.endsWith('.log') ? [file.slice(0, -'.log'.length)] : []))
        .sort()
    : []

/** The last lines that fit, oldest first. `places`: notes up to where it has read. */
export function lastLines(
  folder: string,
  { filter, limit, places }: { filter: LogFilter; limit: number; places?: LogPlaces },
): LogLine[] {
  const fits = filterOf(filter)
  const lines = wanted(folder, filter).flatMap((process) => {
    const { text, end } = readFrom(join(folder, `${process}.log`), -MOST_BYTES)
    places?.set(process, end)
    return linesOf(text, process).filter(fits).slice(-limit)
  })
  return lines.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(-limit)
}

/** The lines that fit and came since `places`, which it moves on. */
export function newLines(
  folder: string,
  { filter, places }: { filter: LogFilter; places: LogPlaces },
): LogLine[] {
  const fits = filterOf(filter)
  return wanted(folder, filter)
    .flatMap((process) => {
      const { text, end } = readFrom(join(folder, `${process}.log`), places.get(process) ?? 0)
      places.set(process, end)
      return linesOf(text, process).filter(fits)
    })
    .toSorted((a, b) => timeOf(a) - timeOf(b))
}

/** Names that have no log give no lines, so that no path leads out of the folder. */
const wanted = (folder: string, { process }: LogFilter): string[] =>
  logProcesses(folder).filter((name) => process === undefined || name === process)

const timeOf = ({ at }: LogLine): number => at?.getTime() ?? 0

function filterOf({ request, wallet, source, workflow }: LogFilter): (line: LogLine) => boolean {
  const texts = [wallet?.toLowerCase(), workflow?.toLowerCase()].filter((text) => text !== undefined)
  return ({ message, fields }) => {
    if (request !== undefined && fields['requestId'] !== request) return false
    const text = `${message} ${JSON.stringify(fields)}`
    if (source !== undefined && fields['source'] !== source && !hasWord(text, source)) return false
    return texts.every((one) => text.toLowerCase().includes(one))
  }
}

/** `kraken` is not in `kraken-ohlc: status 500`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + word.length] ?? '')) return true
  return false
}

const linesOf = (text: string, process: string): LogLine[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [lineOf(line, process)]))

function lineOf(line: string, process: string): LogLine {
  const { time, level, msg, name: _name, pid: _pid, hostname: _host, ...fields } = objectIn(line) ?? {}
  if (typeof time !== 'number') return { process, at: null, level: null, message: line, fields: {} }
  return {
    process,
    at: new Date(time),
    level: LEVELS[level as keyof typeof LEVELS] ?? null,
    message: typeof msg === 'string' ? msg : '',
    fields,
  }
}

function objectIn(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}

/**
 * Reads whole lines from a place on; negative: so much of the end. A file that is shorter than the place has been
 * replaced, and is read from its start.
 */
function readFrom(file: string, place: number): { text: string; end: number } {
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const from = place < 0 ? Math.max(0, size + place) : place > size ? 0 : place
    const bytes = Buffer.alloc(Math.min(size - from, MOST_BYTES))
    const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
    const text = read.subarray(0, read.lastIndexOf(0x0a) + 1).toString()
    const isInside = place < 0 && from > 0
    return {
      text: isInside ? text.slice(text.indexOf('\n') + 1) : text,
      end: from + read.lastIndexOf(0x0a) + 1,
    }
  } finally {
    closeSync(fd)
  }
}

/** `12:00:01.250 warn worker: no turn source="kraken"` */
export function lineInWords({ process, at, level, message, fields }: LogLine): string {
  const more = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const head = at === null ? process : `${at.toISOString()} ${level ?? ''} ${process}`
  return `${head}: ${message}${more.join('')}`
}
