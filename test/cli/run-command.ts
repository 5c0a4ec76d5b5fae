import { COMMANDS } from '../../cli/commands.ts'

/**
 * Runs an operator command without a process. Resolves to its exit code; throws the error that it would
 * print.
 */
export async function runCommand(name: string, ...args: string[]): Promise<number> {
  const module = await COMMANDS.find((command) => command.name === name)!.load()
  return (await module.run(args)) ?? 0
}
