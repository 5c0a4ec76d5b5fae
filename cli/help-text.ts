import type { Command } from './command.ts'
import { type CommandSpec, GROUPS } from './command-spec.ts'
import { takenLines, usageLine } from './usage.ts'

const groupOf = ({ spec }: Command) => spec?.group ?? 'develop'

/** Lists all commands by group, one line each. */
export function overviewText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  const parts = Object.entries(GROUPS).flatMap(([group, title]) => {
    const own = commands.filter((command) => groupOf(command) === group)
    return own.length === 0
      ? []
      : [title, ...own.map(({ name, help }) => `  ${name.padEnd(width)}${help}`)].join('\n')
  })
  return [
    'sluice COMMAND [arguments]',
    ...parts,
    '"sluice help COMMAND" explains a command. Data goes to stdout, everything else to stderr; --json is for programs.\nExit codes: 0: success; 1: failure, or a check found a problem; 2: usage error.',
  ].join('\n\n')
}

/** Describes the arguments and options of a command, or of one of its actions. */
export function commandText({ name, help, usage, spec }: Command, action?: string): string {
  if (!spec) return `Usage: sluice ${name} ${usage ?? ''}`.trimEnd() + `\n${help}`
  const actions = action !== undefined && spec.actions[action] ? [action] : Object.keys(spec.actions)
  const parts = actions.map((one) => actionText(spec, one))
  return [help, ...parts, ...(spec.notes ? [spec.notes] : [])].join('\n\n')
}

function actionText(spec: CommandSpec, name: string): string {
  const action = spec.actions[name]!
  const lines = takenLines(action)
  const width = Math.max(0, ...lines.map(([head]) => head.length)) + 2
  const about = action.help === undefined ? [] : [`  ${action.help}`]
  return [
    usageLine(spec, name),
    ...about,
    ...lines.map(([head, text]) => `    ${head.padEnd(width)}${text}`),
  ].join('\n')
}
