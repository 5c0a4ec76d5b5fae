import { COMMANDS } from '../../cli/commands.ts'

/** Runs an operator command without the process around it. Resolves to its exit code; throws what it would say. */
export async function runCommand(name: string, ...args: string[]): Promise<number> {
  const module = await COMMANDS.find((command) => command.name === name)!.load()
  return (await module.run(args)) ?? 0
}
