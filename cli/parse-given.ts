import { parseArgs } from 'node:util'
import { parseInstant } from '../db/values/time.ts'
import { UsageError } from './command.ts'
import type { ActionSpec, CommandSpec, Given, OperandSpec, OptionSpec } from './command-spec.ts'
import { nearest } from '../ops/settings/nearest.ts'
import { usageOf } from './usage.ts'

/** Parses a command line by the spec of its command. Throws a UsageError that says what is wrong. */
export function parseGiven<S extends CommandSpec>(spec: S, args: readonly string[]): Given<S> {
  const actions = Object.values(spec.actions)
  const options = Object.assign({}, ...actions.map((action) => action.options ?? {})) as Record<
    string,
    OptionSpec
  >
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind, oneOf }]) => [
        name,
        { type: kind || oneOf ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const name = actionOf(spec, words[0])
  const action = spec.actions[name]!
  const fail = (problem: string): never => {
    throw new UsageError(`${problem}\n${usageOf(spec, name)}`)
  }
  const own = action.options ?? {}
  // Checked first, because the value of a misspelt option would be taken for an operand.
  const stranger = tokens.find((token) => token.kind === 'option' && !own[token.name])
  if (stranger?.kind === 'option') fail(unknownOption(stranger.rawName, Object.keys(own), [spec.name, name]))
  const operands = readOperands(action, name === '' ? words : words.slice(1), fail)
  const given: Record<string, unknown> = { action: name, ...operands }
  for (const [option, { kind, oneOf, default: value }] of Object.entries(own))
    given[option] = kind || oneOf ? value : false
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = own[token.name]!
    given[token.name] = readOption(option, token, fail)
  }
  const missing = Object.keys(own).find((option) => own[option]!.required && given[option] === undefined)
  if (missing !== undefined) fail(`--${missing} is missing: ${own[missing]!.help}`)
  return given as Given<S>
}

/** Returns the action that the word names, or the one without a name. */
function actionOf(spec: CommandSpec, word: string | undefined): string {
  const names = Object.keys(spec.actions)
  if (word !== undefined && names.includes(word)) return word
  const takesWord = Object.keys(spec.actions['']?.operands ?? {}).length > 0
  if (spec.actions[''] && (word === undefined || takesWord || names.length === 1)) return ''
  const usage = usageOf(spec)
  if (word === undefined) throw new UsageError(`give an action: ${names.join(', ')}\n${usage}`)
  throw new UsageError(`"sluice ${spec.name}" has no "${word}"${meant(word, names)}\n${usage}`)
}

function readOperands(
  { operands = {} }: ActionSpec,
  words: readonly string[],
  fail: (problem: string) => never,
): Record<string, string | undefined> {
  const entries = Object.entries(operands)
  if (words.length > entries.length) fail(`unexpected argument "${words[entries.length]}"`)
  return Object.fromEntries(
    entries.map(([name, operand], i) => {
      const word = words[i]
      if (word === undefined && !operand.optional) fail(`${nameOf(operand)} is missing`)
      if (word !== undefined && operand.oneOf && !operand.oneOf.includes(word))
        fail(`"${word}" is not one of ${operand.oneOf.join(', ')}${meant(word, operand.oneOf)}`)
      return [name, word]
    }),
  )
}

const nameOf = ({ value, help }: OperandSpec) => (help === undefined ? value : `${value} (${help})`)

function readOption(
  { kind, oneOf, least = 0, most = Number.MAX_SAFE_INTEGER }: OptionSpec,
  {
    rawName,
    value,
    inlineValue,
  }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  fail: (problem: string) => never,
): unknown {
  if (!kind && !oneOf) return value === undefined ? true : fail(`${rawName} takes no value`)
  // In `--name --json` the name was forgotten.
  if (value === undefined || (!inlineValue && value.startsWith('--'))) return fail(`${rawName} needs a value`)
  if (oneOf)
    return oneOf.includes(value)
      ? value
      : fail(`${rawName} must be one of ${oneOf.join(', ')}, not "${value}"`)
  switch (kind!) {
    case 'text':
      return value === '' ? fail(`${rawName} is empty`) : value
    case 'integer': {
      const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
      if (number >= least && number <= most) return number
      return fail(`${rawName} must be a whole number from ${least} to ${most}, not "${value}"`)
    }
    case 'instant':
      return (
        parseInstant(value) ??
        fail(`${rawName} must be a date (YYYY-MM-DD, UTC) or an RFC 3339 timestamp, not "${value}"`)
      )
  }
}

function unknownOption(rawName: string, own: readonly string[], names: readonly string[]): string {
  const name = names.filter((word) => word !== '').join(' ')
  return `"sluice ${name}" has no option ${rawName}${meant(
    rawName,
    own.map((option) => `--${option}`),
  )}`
}

/** `; did you mean "list"?` */
export function meant(word: string, names: readonly string[]): string {
  const name = nearest(word, names)
  return name === null ? '' : `; did you mean "${name}"?`
}
