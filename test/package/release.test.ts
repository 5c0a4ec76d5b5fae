import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '../../cli/commands/release.ts'
import { npmBill } from '../../cli/package/bill-of-materials.ts'
import { ROOT } from '../docs/read-page.ts'

// A version is made in a copy of the files of this clone that name one.

const FILES = ['CHANGELOG.md', 'package.json', 'package-lock.json']
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-release-'))
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const texts = () => FILES.map(read)

/** Runs the command in the folder and returns what it prints. */
async function release(given: Parameters<typeof run>[0]): Promise<string> {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await run(given, folder)
  return lines.join('\n')
}

test('a release sets the version of the package alone, and its notes are what was unreleased', async () => {
  const [changelog, ...before] = texts() as [string, string, string]
  const unreleased = await release({ action: 'notes', version: undefined })
  const printed = await release({ action: 'make', version: '987.1.0' })
  expect(printed).toContain('git tag -a v987.1.0')
  expect(await release({ action: 'notes', version: '987.1.0' })).toBe(unreleased)
  expect(read('CHANGELOG.md')).toContain(
    `## [Unreleased]\n\n## [987.1.0] - ${new Date().toISOString().slice(0, 10)}\n`,
  )
  expect(read('CHANGELOG.md').length - changelog.length).toBeLessThan(40)
  const own = `"version": "${JSON.parse(before[0]).version}"`
  const changed = before.map((text, i) => {
    const after = read(FILES[i + 1]!).split('\n')
    return text.split('\n').flatMap((line, n) => (after[n] === line ? [] : [line.trim()]))
  })
  // The lock file names it for itself and for the package at its root, and other packages keep theirs.
  expect(changed).toEqual([[`${own},`], [`${own},`, `${own},`]])
  expect(JSON.parse(read('package.json')).version).toBe('987.1.0')
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['987.1.0', '987.1.0'])
})

test('the bill of materials is one of the released version, without packages of developers', async () => {
  await release({ action: 'make', version: '987.1.0' })
  const bill = JSON.parse(await npmBill(folder)) as {
    metadata: { component: { name: string; version: string } }
    components: { name: string; version: string; scope?: string; hashes?: unknown[] }[]
  }
  expect(bill.metadata.component).toMatchObject({ name: 'sluice', version: '987.1.0' })
  const locked = JSON.parse(read('package-lock.json')).packages as Record<
    string,
    { dev?: boolean; name?: string; version: string }
  >
  const needed = Object.entries(locked).flatMap(([path, { dev, name, version }]) =>
    path === '' || dev ? [] : [`${name ?? path.split('node_modules/').at(-1)}@${version}`],
  )
  const billed = bill.components.map(({ name, version }) => `${name}@${version}`)
  expect([...new Set(billed)].toSorted()).toEqual([...new Set(needed)].toSorted())
  // The lock file has no digest of some packages for other platforms.
  for (const { name, scope, hashes } of bill.components)
    if (scope !== 'optional') expect(hashes, name).toHaveLength(1)
  expect(needed.length).toBeLessThan(Object.keys(locked).length - 50)
}, 60_000)

test('what cannot be released is refused, and nothing is written', async () => {
  const before = texts()
  for (const version of ['1.2', 'v1.2.0', '1.2.0 ']) {
    await expect(release({ action: 'make', version })).rejects.toThrow('is not a version')
  }
  await release({ action: 'make', version: '987.1.0' })
  const released = texts()
  await expect(release({ action: 'make', version: '987.1.1' })).rejects.toThrow(
    'lists no change of Unreleased',
  )
  expect(texts()).toEqual(released)
  expect(released).not.toEqual(before)
})
