import { expect, test } from 'vitest'
import type { HttpClient } from '../../activities/http-client.ts'
import { createSolanaClient } from '../../activities/nodes/solana-client.ts'

test('token accounts are read no earlier than at a slot where one is named', async () => {
  const asked: unknown[] = []
  const http = {
    fetchJson({ body }: { body: { params: [string, object, object] } }) {
      asked.push(body.params[2])
      return Promise.resolve({ result: { context: { slot: 7 }, value: [] } })
    },
  } as unknown as HttpClient
  const client = createSolanaClient({ http, url: 'http://node' })
  const options = { encoding: 'jsonParsed', commitment: 'finalized' }
  // One question for each of the two token programs.
  expect(await client.readTokenAccounts('owner')).toEqual({ accounts: [], slots: [7, 7] })
  expect(asked.splice(0)).toStrictEqual([options, options])
  await client.readTokenAccounts('owner', { minContextSlot: 5 })
  const fromSlot = { ...options, minContextSlot: 5 }
  expect(asked).toStrictEqual([fromSlot, fromSlot])
})

test('mints are named by their own metadata, without control characters, and the others are not', async () => {
  const mint = (...extensions: object[]) => ({
    data: { parsed: { type: 'mint', info: { decimals: 6, extensions } } },
  })
  const named = (symbol: unknown, name: unknown) => ({ extension: 'tokenMetadata', state: { symbol, name } })
  const value = [
    mint({ extension: 'transferFee', state: { name: 'no' } }, named(' GEM\u0000 ', 'A\u0007 gem')),
    mint(named(7, ' ')),
    mint(),
    null,
  ]
  const http = { fetchJson: () => Promise.resolve({ result: { context: { slot: 7 }, value } }) }
  const client = createSolanaClient({ http: http as unknown as HttpClient, url: 'http://node' })
  expect(await client.readMints(['a', 'b', 'c', 'd'])).toEqual([
    { address: 'a', symbol: 'GEM', name: 'A gem', decimals: 6 },
    { address: 'b', symbol: null, name: null, decimals: 6 },
    { address: 'c', symbol: null, name: null, decimals: 6 },
    { address: 'd', symbol: null, name: null, decimals: null },
  ])
})
