import { COMMANDS } from './commands.ts'
import { type Command, CommandError } from './command.ts'

// A reader that has gone (npm start | head) must not end the supervisor before its processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const [name = 'help', ...args] = process.argv.slice(2)
// Nothing that is still open, such as the channel to the launcher, may hold the process.
process.exit(await main(name, args))

async function main(name: string, args: string[]): Promise<number> {
  const command = COMMANDS.find((entry) => entry.name === name)
  if (!command) {
    const asked = ['help', '--help', '-h'].includes(name)
    if (!asked) console.error(`sluice: there is no command "${name}"\n`)
    console.log(helpText())
    return asked ? 0 : 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`Usage: ${headOf(command)}\n${command.help}`)
    return 0
  }
  try {
    const module = await command.load()
    return (await module.run(args)) ?? 0
  } catch (error) {
    if (error instanceof CommandError) console.error(`sluice: ${error.message}`)
    else if (isArgumentError(error)) console.error(`sluice: ${error.message}\nUsage: ${headOf(command)}`)
    else console.error('sluice:', error)
    return 1
  }
}

/** What `parseArgs` throws for an option that a command does not have. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

function headOf(command: Command): string {
  return `sluice ${command.name} ${command.usage}`.trimEnd()
}

function helpText(): string {
  const heads = COMMANDS.map(headOf)
  const width = Math.max(...heads.map((head) => head.length)) + 2
  const lines = COMMANDS.map((command, i) => `  ${heads[i]!.padEnd(width)}${command.help}`)
  return ['Usage:', ...lines].join('\n')
}
