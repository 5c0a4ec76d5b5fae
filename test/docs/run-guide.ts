import { execFile } from 'node:child_process'
import type { Account } from '../../cli/postgres/postgres-account.ts'
import { blocksOf, type Block, ROOT } from './read-page.ts'
import { isShown } from './shown-output.ts'

/** A command of a page and its output. */
interface Ran extends Block {
  printed: string
  /** The output on the page. null: the page shows none */
  shown: string | null
}

interface Guide {
  /** Path of the page, such as docs/operator.md. */
  page: string
  text: string
  /** Replaces addresses and keys of the page (keys) by those of this installation (values). */
  values: Record<string, string>
  env: Record<string, string>
  /** Account and working directory. Absent: this account in the root of the project */
  as?: { account: Account | null; cwd: string }
}

/**
 * Runs the `sh` blocks of a page one after the other in one shell, as a reader would copy them. Rejects with
 * the block that fails, or whose output differs from the page.
 */
export async function runGuide({ page, text: guide, values, env, as }: Guide): Promise<void> {
  const blocks = blocksOf(guide)
  const commands = blocks.filter(({ kind }) => kind === 'sh')
  const mark = '----- next block -----'
  // Aliases are off in non-interactive shells. The first failing command ends the whole page.
  const script = [
    'set -eu',
    'shopt -s expand_aliases',
    ...commands.flatMap(({ text }) => [`echo '${mark}'`, text]),
  ]
  const { failed, stdout } = await runBash(`exec 2>&1\n${withValues(script.join('\n'), values)}`, env, as)
  const [, ...printed] = stdout.split(`${mark}\n`)
  for (const [index, text] of printed.entries()) {
    const command = commands[index]!
    const below = blocks[blocks.indexOf(command) + 1]
    const shown = below?.kind === 'text' ? withValues(below.text, values) : null
    const isLast = index === printed.length - 1
    if ((failed && isLast) || (shown !== null && !isShown(shown, text)))
      throw new Error(told({ ...command, printed: text, shown }, `${page}:${command.line}`))
  }
  if (printed.length < commands.length) throw new Error(`${page} ended early:\n${stdout}`)
}

function runBash(
  script: string,
  env: Record<string, string>,
  as: Guide['as'],
): Promise<{ failed: boolean; stdout: string }> {
  const options = {
    cwd: as?.cwd ?? ROOT,
    ...as?.account,
    env: { ...process.env, ...env },
    timeout: 120_000,
    maxBuffer: 1 << 26,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], options, (error, stdout) => resolve({ failed: error !== null, stdout }))
  })
}

const withValues = (text: string, values: Record<string, string>) =>
  Object.entries(values).reduce((result, [name, value]) => result.replaceAll(name, value), text)

const told = ({ text, printed, shown }: Ran, place: string) =>
  [`${place} ran`, text, 'and printed', printed, ...(shown === null ? [] : ['the page shows', shown])].join(
    '\n',
  )
