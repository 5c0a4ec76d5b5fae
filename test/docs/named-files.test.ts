import { globSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anchorsOf, isThere, matches, readPage, ROOT } from './read-page.ts'

// What sources, migrations, ops/, compose, images and texts of commands and errors name is there: pages with their
// sections, and files. Imports and what stands in the pages themselves are held elsewhere.

const FOLDERS = globSync('*/', { cwd: ROOT })
  .map((folder) => folder.replace(/\/$/, ''))
  .filter((folder) => folder !== 'node_modules')
const TEXT = /(\.(ts|mjs|js|sql|ya?ml|json|cfg|example|sol|py|lua|toml)|(^|\/)(Dockerfile|run|\.\w+ignore))$/
const files = [
  ...globSync(
    FOLDERS.map((folder) => `${folder}/**`),
    { cwd: ROOT },
  ),
  ...globSync(['*', '.ci/*', '.dockerignore'], { cwd: ROOT }),
].filter(
  (file) => TEXT.test(file) && !file.startsWith('node_modules/') && statSync(`${ROOT}/${file}`).isFile(),
)
const texts = files.map((file) => [file, readPage(file)] as const)

/** Written by tests where they need them. */
const MADE_BY_TESTS = ['page.md', 'api/new.ts']

/** "FILE names WHAT", of what a pattern finds and is not there. */
const missing = (pattern: RegExp, isMissing: (found: string) => boolean) =>
  texts.flatMap(([file, text]) =>
    [...new Set(matches(text, pattern))]
      .filter((found) => !MADE_BY_TESTS.includes(found) && isMissing(found))
      .map((found) => `${file} names ${found}`),
  )

test('there is something to hold', () => {
  for (const file of [
    'ops/prometheus/alerts.yml',
    'docker-compose.yml',
    'db/schema.sql',
    'cli/specs/run.ts',
    '.ci/run',
  ])
    expect(files).toContain(file)
})

test('every page that is named is there, with its section', () => {
  const dead = missing(/(?<![\w/%-])((?:docs\/)?[\w-]+\.md(?:#[\w-]+)?)/g, (found) => {
    const [path = '', anchor] = found.split('#')
    const page = [path, `docs/${path}`].find(isThere)
    return page === undefined || (anchor !== undefined && !anchorsOf(readPage(page)).includes(anchor))
  })
  expect(dead).toEqual([])
})

test('every file that is named by its path from the root is there', () => {
  const endings = 'ts|mjs|js|sql|ya?ml|json|cfg|sol|py|lua|toml|png'
  const path = new RegExp(`(?<![\\w./@$}-])((?:${FOLDERS.join('|')})/[\\w./*-]+\\.(?:${endings}))\\b`, 'g')
  expect(missing(path, (found) => !isThere(found))).toEqual([])
})

test('every file and folder of ops/ that is named is there', () => {
  expect(missing(/(?<![\w./@$}-])(ops\/[\w./-]*[\w*])/g, (found) => !isThere(found))).toEqual([])
})
