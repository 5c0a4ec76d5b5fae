import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRoutescan } from '../../activities/chain/sources/etherscan.ts'
import { createHttpClient } from '../../activities/http.ts'
import { type Exchanged, fixtureOf, recordFixtures } from '../../activities/record-fixture.ts'
import { readFixtures, startReplay } from '../setup/replay.ts'
import { ALICE, BOB, stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { startRoutescan } from '../upstreams/routescan.ts'

const KEY = 'k3y-of-the-operator'
const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const folder = await mkdtemp(join(tmpdir(), 'sluice-recordings-'))
afterAll(() => rm(folder, { recursive: true }))

function recorded(
  request: Partial<Exchanged['request']>,
  { text = '{}', configured = 'https://a.example' } = {},
) {
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, text }
  const whole = { source: 'some', url: `${configured}/coins`, ...request }
  return fixtureOf({ request: whole, answer, configured })
}

test.each<[string, Parameters<typeof recorded>]>([
  ['parameter', [{ url: `https://a.example/coins?apikey=${KEY}&page=1` }, { text: `{"you":"${KEY}"}` }]],
  ['header', [{ headers: { 'x-cg-demo-api-key': KEY } }, { text: `{"error":"bad key ${KEY}"}` }]],
  ['bearer token', [{ headers: { authorization: `Bearer ${KEY}` } }, { text: `["${KEY}"]` }]],
  ['path', [{ url: `https://a.example/nft/${KEY}/x`, secret: KEY }, { text: `"${KEY}"` }]],
  ['configured path', [{ body: { key: KEY } }, { configured: `https://a.example/v2/a1b2c3d4e5f6a7b8c9` }]],
  ['configured parameter', [{ body: { method: KEY } }, { configured: `https://a.example/?api-key=${KEY}` }]],
  ['user of the URL', [{}, { configured: `https://${KEY}:p4ssw0rd-long@a.example`, text: `"${KEY}"` }]],
  ['answer', [{}, { text: `{"api_key":"${KEY}","refreshToken": "${KEY}","expires_at":1}` }]],
])('a recording does not have the key of a %s', (where, given) => {
  const fixture = recorded(...given)
  const text = JSON.stringify(fixture)
  if (where !== 'configured path') expect(text).not.toContain(KEY)
  expect(text).not.toContain('a1b2c3d4e5f6a7b8c9')
  expect(() => JSON.parse(fixture.text) as unknown).not.toThrow()
})

test('what is no key stays byte for byte', () => {
  const text = '{"token":"0xabc","signature":"5h6x","key": "BTC","price":1.10,"tokenId":"12"}'
  const url = 'https://a.example/v2/trades?token_id=123456789&cursor=abcdefghij&pageKey=0123456789'
  expect(recorded({ url }, { text })).toMatchObject({
    path: '/v2/trades?token_id=123456789&cursor=abcdefghij&pageKey=0123456789',
    text,
  })
})

test('a history that was recorded with a key is replayed through the adapter without one', async () => {
  const chain = createMemoryChain({ chainId: 1 })
  for (let i = 0; i < 3; i++)
    chain.mine({ from: ALICE, to: BOB, value: 1n, internals: [{ from: BOB, to: ALICE, value: 2n }] })
  const service = stopLater(await startRoutescan({ clock: createClock(), chains: [chain] }))

  async function ask(base: string, key: string | null, record?: typeof recordFixtures) {
    const http = createHttpClient({
      gate: OPEN_GATE,
      sources: { routescan: { url: base } },
      random: () => 0,
      ...(record && { record: record(folder) }),
    })
    const { step } = createRoutescan({ http, url: `${base}/v2/network/mainnet/evm`, key })
    const found = await step({
      chainId: 1,
      address: ALICE,
      fromBlock: 0,
      toBlock: 9,
      next: null,
      onlyInternals: true,
    })
    await http.close()
    return found
  }

  const recordedThen = await ask(service.url, KEY, recordFixtures)
  expect(recordedThen.internals.map(({ value }) => value)).toEqual([2n, 2n, 2n])
  const fixtures = await readFixtures(folder)
  expect(JSON.stringify(fixtures)).not.toContain(KEY)
  const replay = await startReplay(fixtures)
  expect(await ask(replay.url, null)).toEqual(recordedThen)
  replay.close()
})
