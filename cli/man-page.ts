import type { Command } from './command.ts'
import { GROUPS } from './command-spec.ts'
import { takenLines, usageLine } from './usage.ts'

/** Prints docs/sluice.1, the man page: every command with its arguments and options. */
export function printManPage(commands: readonly Command[]): string {
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => [
    `.SH ${title.toUpperCase()}`,
    ...commands.filter(({ spec }) => (spec?.group ?? 'develop') === group).flatMap(commandPart),
  ])
  return `${[...HEAD, ...groups, ...FOOT].join('\n')}\n`
}

const HEAD = [
  '.\\" Generated from the table of commands by "npm run sluice openapi".',
  '.TH SLUICE 1 "" Sluice "Operator commands"',
  '.SH NAME',
  'sluice \\- operate a crypto data service',
  '.SH SYNOPSIS',
  '.B sluice',
  '.I COMMAND',
  '[arguments]',
  '.SH DESCRIPTION',
  text('Data goes to stdout, everything else to stderr.'),
  text('--json prints data for programs: numbers, ISO times and names that stay.'),
  text('Integers too large for a double are strings.'),
  text('Commands work on the running installation, or on the servers in DATABASE_URL and TEMPORAL_ADDRESS.'),
]

const FOOT = [
  '.SH EXIT STATUS',
  ...item('0', 'Success.'),
  ...item('1', 'Failure, or a check found a problem.'),
  ...item('2', 'Usage error.'),
]

function commandPart({ name, help, usage, spec }: Command): string[] {
  const head = [`.SS ${name}`, text(`${help}.`)]
  if (!spec) return [...head, ...literal(`sluice ${`${name} ${usage ?? ''}`.trimEnd()}`)]
  const actions = Object.entries(spec.actions).flatMap(([action, one]) => [
    ...literal(usageLine(spec, action)),
    ...(one.help === undefined ? [] : [text(`${one.help}.`)]),
    ...takenLines(one).flatMap(([taken, about]) => item(taken, about)),
  ])
  return [...head, ...actions, ...(spec.notes ? ['.PP', ...spec.notes.split('\n').map(text)] : [])]
}

const literal = (line: string) => ['.PP', '.nf', `\\fB${text(line)}\\fR`, '.fi']

function item(head: string, about: string): string[] {
  return ['.TP', `\\fB${text(head)}\\fR`, text(about)]
}

/** A line of text in roff: no request, and hyphens that can be copied. */
function text(line: string): string {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
