import { COMMANDS } from './commands.ts'
import { CommandError, UsageError } from './command.ts'
import { commandText, overviewText } from './help-text.ts'
import { meant } from './parse-given.ts'

// A reader that has gone (npm start | head) must not end the supervisor before its processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const [name = 'help', ...args] = process.argv.slice(2)
// Nothing that is still open, such as the channel to the launcher, may hold the process.
process.exit(await main(name, args))

async function main(name: string, args: string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return help(args)
  const command = COMMANDS.find((entry) => entry.name === name)
  if (!command) return unknown(name)
  // What stands behind "--" is another program's.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (own.includes('--help') || own.includes('-h')) return help([name, ...args])
  try {
    const module = await command.load()
    return (await module.run(args)) ?? 0
  } catch (error) {
    if (error instanceof CommandError) console.error(`sluice: ${error.message}`)
    else console.error('sluice:', error)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Of one command, or one of its actions; else of all. */
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
