import { globSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anchorsOf, isThere, matches, readPage, ROOT } from './read-page.ts'

// Pages, sections and files named in sources, migrations, ops/, compose, images and messages must exist.
// Other tests check imports and the pages themselves.

const FOLDERS = globSync('*/', { cwd: ROOT })
  .map((folder) => folder.replace(/\/$/, ''))
  .filter((folder) => folder !== 'node_modules' && folder !== 'dist')
const TEXT = /(\.(ts|mjs|js|sql|ya?ml|json|cfg|example|sol|py|lua|toml)|(^|\/)(Dockerfile|run|\.\w+ignore))$/
const files = [
  ...globSync(
    FOLDERS.map((folder) => `${folder}/**`),
    { cwd: ROOT },
  ),
  ...globSync(['*', '.ci/*', '.dockerignore'], { cwd: ROOT }),
].filter(
  (file) => TEXT.test(file) && !/(^|\/)node_modules\//.test(file) && statSync(`${ROOT}/${file}`).isFile(),
)
const texts = files.map((file) => [file, readPage(file)] as const)

/** Created by tests. */
const MADE_BY_TESTS = ['page.md', 'api/new.ts']

/** Lines "FILE names WHAT" for matches of a pattern that do not exist. */
const missing = (pattern: RegExp, isMissing: (found: string) => boolean) =>
  texts.flatMap(([file, text]) =>
    [...new Set(matches(text, pattern))]
      .filter((found) => !MADE_BY_TESTS.includes(found) && isMissing(found))
      .map((found) => `${file} names ${found}`),
  )

test('the check covers the important files', () => {
  for (const file of [
    'ops/prometheus/alerts.yml',
    'docker-compose.yml',
    'db/schema.sql',
    'cli/specs/run.ts',
    '.ci/run',
  ])
    expect(files).toContain(file)
})

test('every named page and section exists', () => {
  const dead = missing(/(?<![\w/%-])((?:docs\/)?[\w-]+\.md(?:#[\w-]+)?)/g, (found) => {
    const [path = '', anchor] = found.split('#')
    const page = [path, `docs/${path}`].find(isThere)
    return page === undefined || (anchor !== undefined && !anchorsOf(readPage(page)).includes(anchor))
  })
  expect(dead).toEqual([])
})

test('every file named by its path from the root exists', () => {
  const endings = 'ts|mjs|js|sql|ya?ml|json|cfg|sol|py|lua|toml|png'
  const path = new RegExp(`(?<![\\w./@$}-])((?:${FOLDERS.join('|')})/[\\w./*-]+\\.(?:${endings}))\\b`, 'g')
  expect(missing(path, (found) => !isThere(found))).toEqual([])
})

test('every named file and folder of ops/ exists', () => {
  expect(missing(/(?<![\w./@$}-])(ops\/[\w./-]*[\w*])/g, (found) => !isThere(found))).toEqual([])
})
