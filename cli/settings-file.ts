import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { CommandError } from './command.ts'
import { explainError } from './explain-error.ts'
import { writeWhole } from './write-whole.ts'

/** Settings by variable. */
export type Settings = Record<string, string>

/** Lines of `NAME=VALUE`. */
export const settingsFile = (home: string): string => join(home, 'settings.env')

/** Found through these, so the file cannot set them. */
export const NOT_IN_FILE = ['SLUICE_HOME', 'SLUICE_CACHE']

/** What `loadSettings` took from the file. */
const loaded = new Map<string, string>()

/** Reads the settings file of a home. Without a file there are none. Throws a CommandError if it cannot be read. */
export const readSettingsFile = (home: string): Settings => parse(textOf(home))

/** Gives this process and its children the settings of the file. Variables that are set, even empty, win. */
export function loadSettings(home: string): void {
  const stored = readSettingsFile(home)
  const wrong = NOT_IN_FILE.filter((name) => stored[name] !== undefined)
  if (wrong.length > 0)
    throw new CommandError(
      `${settingsFile(home)} sets ${wrong.join(' and ')}: set it in the environment instead`,
    )
  for (const [name, value] of Object.entries(stored)) {
    if (process.env[name] !== undefined) continue
    process.env[name] = value
    loaded.set(name, value)
  }
}

/** The environment of this process without the settings of the file. */
export const shellEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => loaded.get(name) !== value))

/** The environment of the next start from this shell, with what the file holds by now. */
export const nextEnvironment = (home: string): Record<string, string | undefined> => ({
  ...readSettingsFile(home),
  ...shellEnvironment(),
})

/**
 * Sets variables in the settings file, or removes those that are null. Other lines stay as they are. A kill leaves the
 * old file or the new one.
 */
export function changeSettings(home: string, changes: Record<string, string | null>): void {
  const before = textOf(home)
  const text = changeText(before, changes)
  // Values over several lines and with quotes of both kinds cannot be changed line by line.
  const expected = Object.entries({ ...parse(before), ...changes }).filter(([, value]) => value !== null)
  const found = parse(text)
  const isRight =
    Object.keys(found).length === expected.length && expected.every(([name, value]) => found[name] === value)
  if (!isRight) throw new CommandError(`${settingsFile(home)} cannot hold this: edit the file by hand`)
  writeWhole(settingsFile(home), text, { mode: 0o600 })
}

function changeText(before: string, changes: Record<string, string | null>): string {
  const left = new Map(Object.entries(changes))
  const lines = before.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line)?.[1]
    if (name === undefined || !(name in changes)) return line
    const value = left.get(name) ?? null
    left.delete(name)
    return value === null ? [] : lineOf(name, value)
  })
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : lineOf(name, value)))
  return [...lines.join('\n').trimEnd().split('\n'), ...added, ''].join('\n').replace(/^\n/, '')
}

const lineOf = (name: string, value: string): string =>
  `${name}=${/^[\w:/.,@%?&=+-]*$/.test(value) ? value : `'${value}'`}`

const parse = (text: string): Settings => parseEnv(text) as Settings

function textOf(home: string): string {
  try {
    return readFileSync(settingsFile(home), 'utf8')
  } catch (error) {
    // ENOTDIR: the home is a file. Commands that need it say so.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!)) return ''
    throw new CommandError(`the settings of the installation cannot be read: ${explainError(error)}`)
  }
}
