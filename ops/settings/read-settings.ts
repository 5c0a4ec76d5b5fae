import type { z } from 'zod'
import { misspelt } from './misspelt.ts'
import { SettingsError } from './settings-error.ts'
import type { Variable } from './variable.ts'
import { VARIABLES } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Name = keyof typeof VARIABLES
type Value<N extends Name> = z.output<(typeof VARIABLES)[N]['value']>
type Optional<N extends Name> = (typeof VARIABLES)[N] extends { default: string }
  ? Value<N>
  : Value<N> | undefined

/**
 * Reads these variables from an environment; an empty variable counts as not set. Throws a SettingsError that
 * lists all wrong and missing ones.
 */
export function readSettings<R extends Name = never, O extends Name = never>(
  env: Environment,
  { required, optional = [] }: { required?: readonly R[]; optional?: readonly O[] },
): { [N in R]: Value<N> } & { [N in O]: Optional<N> } {
  const names: readonly Name[] = [...(required ?? []), ...optional]
  const problems: string[] = []
  const values = names.map((name) => {
    const variable: Variable = VARIABLES[name]
    const given = env[name] || variable.default
    if (given === undefined) {
      if ((required as readonly Name[] | undefined)?.includes(name))
        problems.push(`${name} is not set${meantInstead(env, name)}. ${variable.text}`)
      return [name, undefined]
    }
    const read = variable.value.safeParse(given)
    if (!read.success) problems.push(`${name} ${read.error.issues[0]!.message}`)
    return [name, read.data]
  })
  if (problems.length > 0) throw new SettingsError(problems)
  return Object.fromEntries(values) as { [N in R]: Value<N> } & { [N in O]: Optional<N> }
}

/** ` (DATABSE_URL is: did you mean DATABASE_URL?)` */
function meantInstead(env: Environment, name: Name): string {
  const [found] = misspelt(env, { known: Object.keys(VARIABLES), meant: [name] })
  return found ? ` (${found.name} is: did you mean ${name}?)` : ''
}

/** Reads every part of a configuration. Throws one SettingsError with the problems of all parts. */
export function readParts<T extends Record<string, () => unknown>>(
  parts: T,
): { [K in keyof T]: ReturnType<T[K]> } {
  const problems: string[] = []
  const read = Object.entries(parts).map(([name, part]) => {
    try {
      return [name, part()]
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      problems.push(...error.problems)
      return [name, undefined]
    }
  })
  if (problems.length > 0) throw new SettingsError([...new Set(problems)])
  return Object.fromEntries(read) as { [K in keyof T]: ReturnType<T[K]> }
}
