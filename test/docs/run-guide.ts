import { spawnSync } from 'node:child_process'
import { blocksOf, type Block, readPage, ROOT } from './read-page.ts'
import { isShown } from './shown-output.ts'

/** A command of a page, and what it printed. */
interface Ran extends Block {
  printed: string
  /** What the page says that it prints; null: the page does not say. */
  shown: string | null
}

interface Guide {
  /** docs/operator.md */
  page: string
  /** What the page calls otherwise: addresses and keys of this installation by those of the page. */
  values: Record<string, string>
  env: Record<string, string>
}

/**
 * Runs the `sh` blocks of a page one after the other in one shell, in the folder of the project, as somebody does who copies
 * them from there. Throws with the block that fails, or that prints other than the page shows.
 */
export function runGuide({ page, values, env }: Guide): void {
  const blocks = blocksOf(readPage(page))
  const commands = blocks.filter(({ kind }) => kind === 'sh')
  const mark = '----- next block -----'
  // Aliases are for interactive shells; the first command that fails ends a block and the page.
  const script = [
    'set -eu',
    'shopt -s expand_aliases',
    ...commands.flatMap(({ text }) => [`echo '${mark}'`, text]),
  ]
  const { status, stdout } = spawnSync(
    'bash',
    ['-c', `exec 2>&1\n${withValues(script.join('\n'), values)}`],
    {
      ...{ cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' },
      ...{ timeout: 120_000, maxBuffer: 1 << 26 },
    },
  )
  const [, ...printed] = stdout.split(`${mark}\n`)
  for (const [index, text] of printed.entries()) {
    const command = commands[index]!
    const below = blocks[blocks.indexOf(command) + 1]
    const shown = below?.kind === 'text' ? withValues(below.text, values) : null
    const failed = status !== 0 && index === printed.length - 1
    if (failed || (shown !== null && !isShown(shown, text)))
      throw new Error(told({ ...command, printed: text, shown }, `${page}:${command.line}`))
  }
  if (printed.length < commands.length) throw new Error(`${page}: it ended with ${status}:\n${stdout}`)
}

const withValues = (text: string, values: Record<string, string>) =>
  Object.entries(values).reduce((result, [name, value]) => result.replaceAll(name, value), text)

const told = ({ text, printed, shown }: Ran, place: string) =>
  [`${place} ran`, text, 'and printed', printed, ...(shown === null ? [] : ['the page shows', shown])].join(
    '\n',
  )
