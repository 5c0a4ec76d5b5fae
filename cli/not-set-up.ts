import { CommandError } from './command.ts'

/**
 * Returns the error of a command that finds no server, with warnings about misspelt variables. Their names come
 * from every area, so they are loaded only then: most commands start in half the time without them.
 */
export async function notSetUp(message: string): Promise<CommandError> {
  const { doubtsOf } = await import('./check-environment.ts')
  return new CommandError([message, ...doubtsOf(process.env)].join('\n'))
}
