import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { anchorsOf, blocksOf, isThere, matches, readPage, ROOT, withoutBlocks } from './read-page.ts'

// Files, folders, headings and commands named in the pages of the root and of docs/ must exist.

const PAGES = [...globSync('*.md', { cwd: ROOT }), ...globSync('docs/*.md', { cwd: ROOT })]
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
const FOLDERS = new Set(globSync('*/', { cwd: ROOT }).map((folder) => folder.replace(/\/$/, '')))

test.each(PAGES)('%s: all links have a target', (page) => {
  const links = matches(withoutBlocks(readPage(page)), /\]\(([^)]+)\)/g).filter(
    (link) => !/^https?:/.test(link),
  )
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
    return !isThere(target) || (anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor))
  })
  expect(dead).toEqual([])
})

// `activities/<area>/sources/` and `db/*/migrations/*-create-payments.sql` are patterns. Names without a folder, such as `run.json`, mostly name no file of the repository.
test.each(PAGES)('%s: all named files and folders exist', (page) => {
  const named = matches(withoutBlocks(readPage(page)), /`([\w.<>*-]+\/[\w./<>*-]*)`/g)
    .map((path) => path.replace(/<[^>]*>/g, '*'))
    .filter((path) => FOLDERS.has(path.split('/')[0]!))
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

test.each(PAGES)('%s: all named commands exist', (page) => {
  const text = readPage(page)
  const known = new Set(['help', ...COMMANDS.map(({ name }) => name)])
  const commands = blocksOf(text).filter(({ kind }) => kind === 'sh' || kind === 'console')
  const code = [...matches(withoutBlocks(text), /`([^`]*)`/g), ...commands.map((block) => block.text)]
  const sluice = code.flatMap((one) => matches(one, /(?:^|npx |run |\$\()sluice (?:-- )?([a-z][a-z-]*)\b/gm))
  expect(sluice.filter((name) => !known.has(name))).toEqual([])
  const npm = code.flatMap((one) => matches(one, /\bnpm run (?:--silent )?([a-z][\w:-]*)/g))
  expect(npm.filter((name) => !(name in scripts))).toEqual([])
})

/** Blocks that no test runs are counted, so that no command escapes the tests unnoticed. */
const NOT_RUN = { operator: 9, consumer: 2, analyst: 7 }

test.each(Object.entries(NOT_RUN))('docs/%s.md: exactly %i blocks cannot run in a test', (name, count) => {
  const blocks = blocksOf(readPage(`docs/${name}.md`))
  const kinds = blocks.map(({ kind }) => kind)
  // A comment before a query says what it needs.
  const notRun = blocks.filter(
    ({ kind, text }) => kind === 'console' || (kind === 'sql' && text.startsWith('-- ')),
  )
  expect(notRun).toHaveLength(count)
  expect(kinds.filter((kind) => kind === 'sh').length).toBeGreaterThan(2)
  // Other kinds of blocks would be neither run nor counted.
  expect(
    kinds.filter((kind) => !['sh', 'text', 'sql', 'console', 'python', 'ts', 'yaml', 'jinja'].includes(kind)),
  ).toEqual([])
})
