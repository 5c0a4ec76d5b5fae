import { explainError } from './explain-error.ts'
import { COMMANDS } from './commands.ts'
import { UsageError } from './command.ts'
import { homeFolder } from './folders.ts'
import { commandText, overviewText } from './help-text.ts'
import { meant } from './parse-given.ts'
import { loadSettings } from './settings-file.ts'

/** Runs a command line. Resolves to the exit code; errors are printed as sentences. */
export async function runCommandLine([name = 'help', ...args]: string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return help(args)
  const command = COMMANDS.find((entry) => entry.name === name)
  if (!command) return unknown(name)
  // Arguments after "--" belong to another program.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (own.includes('--help') || own.includes('-h')) return help([name, ...args])
  try {
    // Programs of developers keep to themselves: a test must not ask real services with the keys of the home.
    if (command.spec && command.spec.group !== 'develop') loadSettings(homeFolder())
    const module = await command.load()
    return (await module.run(args)) ?? 0
  } catch (error) {
    console.error(`sluice: ${explainError(error)}`)
    if (/^(debug|trace)$/.test(process.env['LOG_LEVEL'] ?? '')) console.error(error)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Prints the help of one command or action, or the overview of all commands. */
function help([name, action]: string[]): number {
  if (name === undefined || name.startsWith('-')) {
    console.log(overviewText(COMMANDS))
    return 0
  }
  const command = COMMANDS.find((entry) => entry.name === name)
  if (!command) return unknown(name)
  console.log(commandText(command, action))
  return 0
}

function unknown(name: string): number {
  const names = COMMANDS.map((command) => command.name)
  console.error(`sluice: there is no command "${name}"${meant(name, names)}\n"sluice help" lists them all.`)
  return 2
}
