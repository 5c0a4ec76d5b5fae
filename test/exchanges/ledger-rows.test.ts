import ccxt, { type Exchange } from 'ccxt'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_SPECS, exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import type { PageRequest } from '../../activities/exchanges/paging.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'

const REQUEST: PageRequest = { limit: 50, offset: 0, fromId: '', sinceMs: 0, untilMs: 1_800_000_000_000 }

/** Rows from entries with the given fields, as CCXT gives them. */
async function rowsOf(exchange: string, infos: readonly object[], direction: 'in' | 'out' = 'in') {
  const entries = infos.map((info, index) => ({
    id: String(index),
    timestamp: 1_772_323_200_000,
    direction,
    currency: 'ETH',
    amount: '1',
    info,
  }))
  const spec = exchangeSpec(exchange)
  const client: Exchange = new ccxt[exchange as 'kraken']()
  client.fetchLedger = () => Promise.resolve(entries as never)
  const name = spec.lists.find(({ method }) => method === 'fetchLedger')!.name
  const { rows, quarantined, count } = await streamsOf(spec, client)
    .find((stream) => stream.name === name)!
    .read(client, REQUEST)
  expect([quarantined, count]).toEqual([[], infos.length])
  return rows.map(({ kind, role, unknown_kind, amount }) => [kind, role ?? unknown_kind, amount])
}
const types = (...names: string[]) => names.map((type) => ({ type }))

test('Kraken: airdrops differ from staking rewards, moves into programmes are none, margin is cost or income', async () => {
  expect(await rowsOf('kraken', types('staking', 'earn', 'airdrop', 'deposit', 'trade'))).toEqual([
    ['reward', null, '1'],
    ['reward', null, '1'],
    ['reward', 'airdrop', '1'],
    ['deposit', null, '1'],
  ])
  expect(await rowsOf('kraken', [{ type: 'earn', subtype: 'autoallocation' }], 'out')).toEqual([
    ['adjustment', null, '-1'],
  ])
  expect(await rowsOf('kraken', types('rollover', 'margin', 'reward'), 'out')).toEqual([
    ['fee', null, '-1'],
    ['fee', null, '-1'],
    ['adjustment', null, '-1'],
  ])
  expect(await rowsOf('kraken', types('margin'))).toEqual([['fee', null, '1']])
})

test('Coinbase: interest differs from staking rewards, cards and gifts are transfers, futures settle as cost or income', async () => {
  expect(await rowsOf('coinbase', types('staking_reward', 'interest', 'send', 'cardbuyback'))).toEqual([
    ['reward', null, '1'],
    ['reward', 'interest', '1'],
    ['deposit', null, '1'],
    ['deposit', null, '1'],
  ])
  expect(
    await rowsOf('coinbase', types('send', 'cardspend', 'derivatives_settlement', 'staking_transfer'), 'out'),
  ).toEqual([
    ['withdrawal', null, '-1'],
    ['withdrawal', null, '-1'],
    ['fee', null, '-1'],
    ['adjustment', null, '-1'],
  ])
})

test('Bitstamp: staking rewards differ from moves between sub-accounts', async () => {
  expect(await rowsOf('bitstamp', types('27', '14', '0', '2'))).toEqual([
    ['reward', null, '1'],
    ['adjustment', null, '1'],
    ['deposit', null, '1'],
  ])
})

test('Bitfinex: kinds are told by descriptions', async () => {
  const text = (description: string) => ({ result: [1, 'ETH', null, 1, null, 1, 1, null, description] })
  const descriptions = [
    'Margin Funding Payment on wallet funding',
    'Position #12345 funding cost on wallet margin',
    'Settlement @ 185.79 on wallet margin',
    'Transfer of 10.0 USD from wallet Exchange to Margin on wallet exchange',
    'Staking payments on wallet exchange',
    'Trading fees for 0.1 ETH (ETHUSD) @ 200 on BFX (0.2%) on wallet exchange',
    'Exchange 0.1 ETH for USD @ 200 on wallet exchange',
    'Deposit (ETHEREUM) #123 on wallet exchange',
    'Lottery prize #77 of 1.5 ETH on wallet exchange',
  ].map(text)
  expect(await rowsOf('bitfinex', descriptions)).toEqual([
    ['fee', null, '1'],
    ['fee', null, '1'],
    ['fee', null, '1'],
    ['adjustment', null, '1'],
    ['reward', null, '1'],
    ['adjustment', 'Lottery prize  of  ETH', '1'],
  ])
})

describe('an entry of a kind without a meaning', () => {
  const ledgers = EXCHANGE_SPECS.filter(({ lists }) => lists.some(({ method }) => method === 'fetchLedger'))

  test.each(ledgers.map(({ source }) => [source.name] as const))(
    '%s: counts in the balance, and is named',
    async (exchange) => {
      const names =
        exchange === 'bitfinex'
          ? [{ result: ['', '', '', '', '', '', '', '', 'constructor'] }]
          : types('constructor')
      expect(await rowsOf(exchange, names)).toEqual([['adjustment', 'constructor', '1']])
      expect(await rowsOf(exchange, names, 'out')).toEqual([['adjustment', 'constructor', '-1']])
    },
  )

  test('Gemini: is refused with its name, since it is not known which way it goes', async () => {
    const client: Exchange = new ccxt.gemini()
    const sent = { id: '1', timestamp: 1_772_323_200_000, currency: 'ETH', amount: '1', status: 'ok' }
    client.fetchDepositsWithdrawals = () =>
      Promise.resolve([
        { ...sent, type: 'reward' },
        { ...sent, type: 'lottery' },
      ] as never)
    const [transfers] = streamsOf(exchangeSpec('gemini'), client)
    const { rows, quarantined, count } = await transfers!.read(client, REQUEST)
    expect(rows.map(({ kind }) => kind)).toEqual(['reward'])
    expect(quarantined.map(({ reason }) => reason)).toEqual(['a kind without a meaning here: lottery'])
    expect(count).toBe(2)
  })
})

test('fills of positions on margin are left to the ledger, and pages still end where they end', async () => {
  const client: Exchange = new ccxt.kraken()
  const fill = {
    symbol: 'ETH/USD',
    timestamp: 1_772_323_200_000,
    side: 'buy',
    amount: '1',
    price: '2',
    cost: '2',
  }
  client.fetchMyTrades = () =>
    Promise.resolve([
      { ...fill, id: 'T1', info: { margin: '0.00000' } },
      { ...fill, id: 'T2', info: { margin: '20.1' } },
    ] as never)
  const fills = streamsOf(exchangeSpec('kraken'), client).find(({ name }) => name === 'fills')!
  const { rows, count } = await fills.read(client, REQUEST)
  expect([rows.map(({ key }) => key), count]).toEqual([['ETH/USD:T1'], 2])
})
