import type { Command } from './command.ts'
import { GROUPS } from './command-spec.ts'
import { takenLines, usageLine } from './usage.ts'

const HEAD = `# Commands

Generated from the table of commands by \`npm run sluice openapi\`. \`sluice help COMMAND\` prints the same.
\`sluice\` stands for \`npx sluice\` or \`npm run sluice --\` in the folder of the project.

Data goes to stdout, everything else to stderr. \`--json\` prints one line of JSON; integers too large for a double are
strings. Exit codes: 0: success; 1: failure, or a check found a problem; 2: usage error. Commands for operators work on
the running installation, or on the servers in \`DATABASE_URL\` and \`TEMPORAL_ADDRESS\`.
\`sluice completion bash|zsh|fish\` prints a shell completion script.
`

/** Prints docs/cli.md: every command with its arguments and options. */
export function printCliPage(commands: readonly Command[]): string {
  const parts = Object.entries(GROUPS).map(([group, title]) => {
    const own = commands.filter(({ spec }) => (spec?.group ?? 'develop') === group)
    return `## ${title}\n\n${own.map(commandPart).join('\n')}`
  })
  return `${[HEAD, ...parts].join('\n')}`
}

function commandPart({ name, help, usage, spec }: Command): string {
  if (!spec)
    return `### ${name}\n\n${sentence(help)}\n\n\`\`\`sh\nsluice ${`${name} ${usage ?? ''}`.trimEnd()}\n\`\`\`\n`
  const lines = Object.entries(spec.actions).flatMap(([action, one]) => [
    ...(one.help === undefined ? [] : [`# ${one.help}`]),
    usageLine(spec, action),
    ...takenLines(one).map(([head, text]) => `#   ${head}: ${text}`),
  ])
  const notes = spec.notes ? `\n\`\`\`text\n${spec.notes}\n\`\`\`\n` : ''
  return `### ${name}\n\n${sentence(help)}\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n${notes}`
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
