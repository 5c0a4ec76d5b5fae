import type { CommandSpec } from './command-spec.ts'

export interface CommandModule {
  /** Resolves to the exit code; nothing means 0. */
  run: (args: string[]) => Promise<number | void>
}

/** One sub-command of `sluice`. */
export interface Command {
  name: string
  /** One line. */
  help: string
  /** Arguments for the usage line of a command without `spec`, which passes them on unchanged. */
  usage?: string
  /** Source of help, completion, docs/cli.md and the parsing of arguments. */
  spec?: CommandSpec
  load: () => Promise<CommandModule>
}

/** A failure whose message tells the operator what to do: shown without a stack. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
  }
}

/** The command line is wrong: exit code 2. */
export class UsageError extends CommandError {}
