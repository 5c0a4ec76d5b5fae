import { AREAS } from '../activities/all-areas.ts'
import { readSoldRoutes } from '../api/sold-routes.ts'
import { limitVariable, readIngestConfig, RPC_PREFIX } from '../activities/config.ts'
import { misspelt } from '../ops/settings/misspelt.ts'
import { type Environment, readParts, readSettings } from '../ops/settings/read-settings.ts'
import { SettingsError } from '../ops/settings/settings-error.ts'
import { VARIABLES } from '../ops/settings/variables.ts'

/** Returns every wrong setting of an environment, for all processes. No setting is required. */
export function problemsOf(env: Environment): readonly string[] {
  try {
    readParts({
      declared: () => readSettings(env, { optional: Object.keys(VARIABLES) as (keyof typeof VARIABLES)[] }),
      sources: () => readIngestConfig(env),
      sold: () => readSoldRoutes(env),
    })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return [...new Set(error.problems)]
    throw error
  }
}

/** Returns the problems that changes bring into an environment, without those that it has. */
export function problemsWith(env: Environment, changes: Environment): readonly string[] {
  const known = problemsOf(env)
  return problemsOf({ ...env, ...changes }).filter((problem) => !known.includes(problem))
}

/** Returns the variables of an environment that are settings of Sluice. */
export function settingsIn(env: Environment): Record<string, string> {
  const set = knownVariables(env).map((name) => [name, env[name]] as const)
  return Object.fromEntries(set.filter((one): one is [string, string] => Boolean(one[1])))
}

/** Returns warnings about unknown variables whose names are close to known ones. */
export function doubtsOf(env: Environment): string[] {
  return misspelt(env, { known: knownVariables(env) }).map(
    ({ name, meant }) => `${name} is set and unknown: did you mean ${meant}?`,
  )
}

/** Names of all settings, with those of nodes that are in the environment. */
export function knownVariables(env: Environment): string[] {
  const specs = AREAS.flatMap((area) => area.sources)
  const sources = specs.flatMap((spec) =>
    [spec.urlVariable, spec.key?.variable ?? [], limitVariable(spec)].flat(),
  )
  const rpc = Object.keys(env).filter((name) => name.startsWith(RPC_PREFIX))
  return [...Object.keys(VARIABLES), ...sources, ...rpc]
}

/** Run before anything starts: logs probable misspellings, and throws a SettingsError with every problem. */
export function refuseWrongSettings(env: Environment, log: (line: string) => void): void {
  for (const doubt of doubtsOf(env)) log(`warning: ${doubt}`)
  const problems = problemsOf(env)
  if (problems.length > 0) throw new SettingsError(problems)
}
