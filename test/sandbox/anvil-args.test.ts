import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { marker } from '../../sandbox/chain/actors.ts'
import { anvilArgs } from '../../sandbox/chain/anvil-args.ts'

let folder: string
let stateFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-anvil-'))
  stateFile = join(folder, 'state.json')
})

afterEach(() => rmSync(folder, { recursive: true }))

const args = () => anvilArgs({ network: 'base-wallet', port: 1234, stateFile })

test('a new chain begins two years ago', () => {
  const timestamp = Number(args()[args().indexOf('--timestamp') + 1])
  expect(Date.now() / 1000 - timestamp).toBeCloseTo(730 * 86_400, -2)
  expect(args().join(' ')).toContain('--port 1234 --chain-id 8453')
})

test('the state of a finished fill is taken up, on the wall clock', () => {
  writeFileSync(stateFile, `{"accounts":{"${marker}":{}}}`)
  expect(args()).toContain(stateFile)
  expect(args()).not.toContain('--timestamp')
})

test.each([
  ['an unfinished fill', '{"accounts":{}}'],
  ['a dump cut short', `{"accounts":{"${marker}"`],
  ['an empty file', ''],
])('the state of %s is moved away', (_, state) => {
  writeFileSync(stateFile, state)
  expect(args()).toContain('--timestamp')
  expect(existsSync(stateFile)).toBe(false)
  expect(readFileSync(`${stateFile}.unusable`, 'utf8')).toBe(state)
})
