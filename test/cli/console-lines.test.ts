import { expect, test } from 'vitest'
import { liveSourceLines } from '../../cli/first-run/live-sources.ts'
import { importantLine } from '../../cli/supervisor/important-line.ts'

const ofWorker = (entry: object): string | null =>
  importantLine({ service: 'worker', line: JSON.stringify({ level: 40, ...entry }) })

test('the states of live sources stand below each other, also after the longest name', () => {
  const lines = liveSourceLines({ SOURCES: 'live' })
  const states = lines.map((line) => line.search(/(?<= {2})(on|off: )/))
  expect(new Set(states).size).toBe(1)
  expect(lines.filter((line) => /^ {2}\S+ {2}(on|off: )/.test(line))).not.toEqual([])
  expect(lines.find((line) => line.includes('coinbase-candles'))).toMatch(/coinbase-candles +on$/)
  expect(lines.find((line) => line.includes('etherscan'))).toMatch(/off: set ETHERSCAN_API_KEY$/)
})

test('nodes are on without a variable, and those of the operator are named', () => {
  expect(liveSourceLines({ SOURCES: 'live' }).at(-1)).toMatch(/^ {2}nodes +on: public ones$/)
  const own = { SOURCES: 'live', RPC_URL_ETHEREUM: 'https://node.example' }
  expect(liveSourceLines(own).at(-1)).toMatch(/RPC_URL_ETHEREUM; public ones elsewhere$/)
})

test('a failed activity is shown once, with its source, the cause and what happens next', () => {
  const failed = { msg: 'Activity failed', activityType: 'refreshFiats' }
  const error = { type: 'SourceUnavailable', message: 'frankfurter: getaddrinfo ENOTFOUND' }
  expect(ofWorker({ ...failed, error, attempt: 1 })).toBe(
    'refreshFiats failed: frankfurter: getaddrinfo ENOTFOUND; it is tried again',
  )
  expect(ofWorker({ ...failed, error, attempt: 2 })).toBeNull()
})

test.each(['SourceRejected', 'NotInPlan'])('%s ends an activity, which shows at any attempt', (type) => {
  const error = { type, message: 'coinpaprika: status 402' }
  expect(ofWorker({ msg: 'Activity failed', activityType: 'refreshQuotes', error, attempt: 3 })).toBe(
    'refreshQuotes failed: coinpaprika: status 402; not tried again before its next run',
  )
})

test('a warning of an activity names its source, and is shown of the first attempt only', () => {
  const warning = { msg: 'no quotes from this source', reason: 'coinpaprika: status 503' }
  expect(ofWorker({ ...warning, attempt: 1 })).toBe('no quotes from this source: coinpaprika: status 503')
  expect(ofWorker({ ...warning, attempt: 2 })).toBeNull()
  expect(ofWorker({ ...warning, level: 50, attempt: 2 })).not.toBeNull()
})

test('a worker without workflows is expected', () => {
  expect(ofWorker({ msg: 'No workflows registered, not polling for workflow tasks' })).toBeNull()
})
