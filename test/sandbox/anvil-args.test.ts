import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { marker } from '../../sandbox/chain/actors.ts'
import { anvilArgs } from '../../sandbox/chain/anvil-args.ts'

let folder: string
let stateFile: string
const anchor = Date.UTC(2026, 0, 31, 12) / 1000

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-anvil-'))
  stateFile = join(folder, 'state.json')
})

afterEach(() => rmSync(folder, { recursive: true }))

const args = () => anvilArgs({ network: 'base-wallet', port: 1234, stateFile, anchor })
const filled = `{"accounts":{"${marker}":{}}}`

test('a new chain begins two years before the anchor, whatever the start time', () => {
  expect(args().join(' ')).toContain(`--timestamp ${anchor - 730 * 86_400}`)
  expect(args().join(' ')).toContain('--port 1234 --chain-id 8453')
})

test('loads the state of a finished fill and uses the wall clock', () => {
  writeFileSync(stateFile, filled)
  expect(args().join(' ')).toContain(`--load-state ${stateFile}`)
  expect(args()).not.toContain('--timestamp')
})

test.each([
  ['an unfinished fill', '{"accounts":{}}'],
  ['a dump cut short', `{"accounts":{"${marker}"`],
  ['an empty file', ''],
])('the state file of %s is moved away', (_, state) => {
  writeFileSync(stateFile, state)
  expect(args()).toContain('--timestamp')
  expect(existsSync(stateFile)).toBe(false)
  expect(readFileSync(`${stateFile}.unusable`, 'utf8')).toBe(state)
})

test('a node writes its state to another file, so that a kill cannot damage the one it started from', () => {
  const dumpFile = args()[args().indexOf('--dump-state') + 1]!
  writeFileSync(dumpFile, filled)
  expect(args().join(' ')).toContain(`--load-state ${stateFile}`)
  expect(readFileSync(stateFile, 'utf8')).toBe(filled)
  writeFileSync(dumpFile, `{"accounts":{"${marker}":{"nonce":`)
  expect(args().join(' ')).toContain(`--load-state ${stateFile}`)
  expect(readFileSync(stateFile, 'utf8')).toBe(filled)
})
