import ccxt, { type Exchange } from 'ccxt'
import { expect, test } from 'vitest'
import type { PageRequest } from '../../activities/exchanges/paging.ts'
import { exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'

/** Rows from incoming entries of the given types. */
async function rowsOf(exchange: string, stream: string, types: readonly string[]) {
  const entries = types.map((type, index) => ({
    id: String(index),
    timestamp: 1_772_323_200_000,
    direction: 'in',
    currency: 'ETH',
    amount: '1',
    info: { type },
  }))
  const spec = exchangeSpec(exchange)
  const client: Exchange = new ccxt[exchange as 'kraken']()
  client.fetchLedger = () => Promise.resolve(entries as never)
  const request: PageRequest = { limit: 50, offset: 0 }
  const page = await streamsOf(spec, client)
    .find(({ name }) => name === stream)!
    .read(client, request)
  return page.rows.map(({ kind, role }) => [kind, role])
}

test('Kraken: distinguishes airdrops from staking rewards and keeps the key', async () => {
  expect(await rowsOf('kraken', 'ledger', ['staking', 'earn', 'dividend', 'airdrop', 'deposit'])).toEqual([
    ['reward', undefined],
    ['reward', undefined],
    ['reward', undefined],
    ['reward', 'airdrop'],
    ['deposit', undefined],
  ])
})

test('Coinbase: distinguishes interest from staking rewards and keeps the key', async () => {
  expect(await rowsOf('coinbase', 'transactions', ['staking_reward', 'interest', 'send'])).toEqual([
    ['reward', undefined],
    ['reward', 'interest'],
    ['deposit', undefined],
  ])
})
