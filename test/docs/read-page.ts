import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const readPage = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** All matches of the pattern's first group. */
export const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found!)
export const withoutBlocks = (page: string) => page.replace(/^```\w*\n.*?^```$/gms, '')
/** Whether the repository has a file or folder that matches the pattern. */
export const isThere = (pattern: string) => globSync(pattern, { cwd: ROOT }).length > 0

/** The anchors that GitHub creates for headings. */
export const anchorsOf = (page: string) =>
  matches(withoutBlocks(page), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

/** A fenced block of a page. */
export interface Block {
  /**
   * The language of the fence. A test runs `sh` and `sql`. `console` needs a terminal or keys that a test
   * does not have. `text` directly below one of these is its output.
   */
  kind: string
  text: string
  /** Line number of the fence, from 1. */
  line: number
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: kind, 2: text, index }) => ({
    kind: kind!,
    text: text!,
    line: page.slice(0, index).split('\n').length,
  }))
}

/** The text from a heading of any level to the next of that level or above. */
export function sectionOf(page: string, heading: string): string {
  // Blocks are matched first: a comment in one looks like a heading.
  const headings = [...page.matchAll(/^```.*?^```$|^(#+) ([^\n]*)$/gms)].filter(({ 1: marks }) => marks)
  const from = headings.findIndex(({ 2: text }) => text === heading)
  if (from < 0) throw new Error(`no heading ${heading}`)
  const level = headings[from]![1]!.length
  const next = headings.slice(from + 1).find(({ 1: marks }) => marks!.length <= level)
  return page.slice(headings[from]!.index, next?.index)
}
