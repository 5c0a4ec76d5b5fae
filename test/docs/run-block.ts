import { expect } from 'vitest'
import { type Block, blocksOf, readPage, sectionOf } from './read-page.ts'
import { runGuide } from './run-guide.ts'

interface WantedBlock {
  page: string
  heading: string
  /** Is in the command, and in no earlier one of the section. */
  word: string
}

/** A command of a section, and the block below it. */
export function commandIn({ page, heading, word }: WantedBlock): {
  command: Block
  below: Block | undefined
} {
  const blocks = blocksOf(sectionOf(readPage(page), heading))
  const at = blocks.findIndex(({ kind, text }) => kind === 'sh' && text.includes(word))
  expect([page, word, at >= 0]).toEqual([page, word, true])
  return { command: blocks[at]!, below: blocks[at + 1] }
}

/** Runs a command of a section, and holds its output against the page. `values` as for `runGuide`. */
export async function runBlock(options: WantedBlock & { values: Record<string, string> }): Promise<void> {
  const { page, values } = options
  const { command, below } = commandIn(options)
  expect([options.word, below?.kind]).toEqual([options.word, 'text'])
  const text = [command, below!].map((one) => `\`\`\`${one.kind}\n${one.text}\`\`\`\n`).join('\n')
  await runGuide({ page, text, values, env: {} })
}
