import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cachedTemporal, type FetchOptions, findTemporal } from '../../cli/temporal/find-temporal.ts'

let folder: string
let tried: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-temporal-'))
  tried = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function place(file: string, code = 0): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

function fetcher(name: string, works: boolean) {
  return async ({ target }: FetchOptions) => {
    tried.push(name)
    if (!works) throw new Error(`${name} is out of reach`)
    place(target)
  }
}

const cacheFolder = () => join(folder, 'cache')
const find = (env: NodeJS.ProcessEnv, works: { download?: boolean; wheel?: boolean; build?: boolean } = {}) =>
  findTemporal({
    env,
    cacheFolder: cacheFolder(),
    log: () => {},
    download: fetcher('download', works.download ?? false),
    wheel: fetcher('wheel', works.wheel ?? false),
    build: fetcher('build', works.build ?? false),
  })

test('an address wins over all programs', async () => {
  place(cachedTemporal(cacheFolder()))
  expect(await find({ TEMPORAL_ADDRESS: 'temporal:7233', PATH: folder })).toEqual({
    address: 'temporal:7233',
  })
})

test('a program on PATH wins over the cache', async () => {
  place(cachedTemporal(cacheFolder()))
  const program = place(join(folder, 'bin/temporal'))
  expect(await find({ PATH: `/nowhere:${dirname(program)}` })).toEqual({ program, origin: 'PATH' })
})

test('a program in the cache is not fetched again', async () => {
  const program = place(cachedTemporal(cacheFolder()))
  expect(await find({ PATH: '' }, { download: true, build: true })).toEqual({ program, origin: 'cache' })
  expect(tried).toEqual([])
})

test('the download comes before the build and fills the cache', async () => {
  expect(await find({ PATH: '' }, { download: true, build: true })).toMatchObject({ origin: 'download' })
  expect(await find({ PATH: '' })).toMatchObject({ origin: 'cache' })
  expect(tried).toEqual(['download'])
})

test('if the download fails it comes from the wheel and is not built', async () => {
  expect(await find({ PATH: '' }, { wheel: true, build: true })).toMatchObject({ origin: 'wheel' })
  expect(tried).toEqual(['download', 'wheel'])
})

test('if download and wheel fail it is built', async () => {
  expect(await find({ PATH: '' }, { build: true })).toMatchObject({ origin: 'go install' })
  expect(tried).toEqual(['download', 'wheel', 'build'])
})

test('two starts at once fetch it once and both get it', async () => {
  const found = await Promise.all([1, 2].map(() => find({ PATH: '' }, { build: true })))
  expect(tried).toEqual(['download', 'wheel', 'build'])
  expect(new Set(found.map((choice) => 'origin' in choice && choice.origin))).toEqual(
    new Set(['cache', 'go install']),
  )
})

test('skips a program on PATH that does not run', async () => {
  const broken = place(join(folder, 'bin/temporal'), 3)
  const program = place(cachedTemporal(cacheFolder()))
  expect(await find({ PATH: dirname(broken) })).toEqual({ program, origin: 'cache' })
})

test('if all tries fail the error gives the reason of each', async () => {
  const error = (await find({ PATH: '/nowhere' }).catch((caught: Error) => caught)) as Error
  for (const part of [
    'TEMPORAL_ADDRESS: not set',
    'PATH: found no program "temporal"',
    'cache: ',
    'download: download is out of reach',
    'wheel: wheel is out of reach',
    'go install: build is out of reach',
  ])
    expect(error.message).toContain(part)
})
