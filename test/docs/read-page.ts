import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const readPage = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What the group of a pattern finds in a text. */
export const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found!)
export const withoutBlocks = (page: string) => page.replace(/^```\w*\n.*?^```$/gms, '')
/** Whether the tree has a file or a folder of this name, which may be a pattern. */
export const isThere = (pattern: string) => globSync(pattern, { cwd: ROOT }).length > 0

/** As GitHub makes them of headings. */
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
   * What stands behind the fence. A test runs `sh` and `sql`; `console` is for a terminal or for keys that a test has not;
   * `text` right below one of these is what it prints.
   */
  kind: string
  text: string
  /** Number of the line of its fence, from 1. */
  line: number
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: kind, 2: text, index }) => ({
    kind: kind!,
    text: text!,
    line: page.slice(0, index).split('\n').length,
  }))
}

/** What stands below a heading of the second level. */
export function sectionOf(page: string, heading: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`no heading ${heading}`)
  return section
}
