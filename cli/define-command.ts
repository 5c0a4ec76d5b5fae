import type { Command } from './command.ts'
import type { CommandSpec, Given } from './command-spec.ts'
import { parseGiven } from './parse-given.ts'

interface SpecModule<S extends CommandSpec> {
  run: (given: Given<S>) => Promise<number | void>
}

/** Defines a command whose arguments are parsed by its spec before its module is loaded. */
export function defineCommand<const S extends CommandSpec>(
  spec: S,
  loadModule: () => Promise<SpecModule<S>>,
): Command {
  const { name, help } = spec
  const run = async (args: string[]) => {
    const given = parseGiven(spec, args)
    return (await loadModule()).run(given)
  }
  return { name, help, spec, load: () => Promise.resolve({ run }) }
}
