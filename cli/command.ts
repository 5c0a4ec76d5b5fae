export interface CommandModule {
  /** Resolves to the exit code; nothing means 0. */
  run: (args: string[]) => Promise<number | void>
}

export interface Command {
  name: string
  /** What follows the name on the command line. */
  usage: string
  /** One line. */
  help: string
  load: () => Promise<CommandModule>
}

/** A failure whose message tells the operator what to do: shown without a stack. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
  }
}
