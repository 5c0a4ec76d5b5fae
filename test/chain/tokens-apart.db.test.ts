import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type pg from 'pg'
import { openDb } from '../../db/connect.ts'
import * as tokens from '../../db/chain/tokens.ts'
import { rangeTokens } from '../../db/chain/wallet-raw.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// A token is what its contract is on its network: another network has contracts at the same address.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const inOne = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transact(pool, ({ client }) => work(client))

const BASE = { networkId: 'base-wallet', blockchain: 'base' }
const at = new Date('2026-01-01T00:00:00Z')
let wrapped: { base: string; ethereum: string }

beforeAll(async () => {
  const on = (address: string, ...blockchains: string[]) =>
    blockchains.map((blockchain) => ({ blockchain, address, decimals: 18 }))
  await insertCoin(db, { id: 'first', rank: 2, at, contracts: on('a', 'base') })
  await insertCoin(db, {
    id: 'second',
    rank: 1,
    at,
    contracts: [...on('a', 'ethereum'), ...on('b', 'base', 'polygon_pos')],
  })
  await insertCoin(db, { id: 'unranked', at, contracts: on('c', 'base') })
  await insertCoin(db, { id: 'last', symbol: 'LAST', rank: 250, at, contracts: on('z', 'base') })
  await insertCoin(db, { id: 'minor', symbol: 'MINOR', rank: 251, at })
  const [row] = await ask<{ base: string; ethereum: string }>(
    `select (select wrapped_address from networks where id = 'base-wallet') as base,
       (select wrapped_address from networks where id = 'ethereum') as ethereum`,
  )
  wrapped = row!
})

test('contracts of the largest coins of a blockchain, without the native coin as a token', async () => {
  const listed = (blockchain: string, limit = 9) => tokens.listedContracts(pool, { blockchain, limit })
  expect(await listed('base')).toEqual(['b', 'a', 'z'])
  expect(await listed('base', 1)).toEqual(['b'])
  await ask(`update networks set native_token = 'b' where id = 'base-wallet'`)
  expect(await listed('base')).toEqual(['a', 'z'])
  expect(await listed('polygon_pos')).toEqual(['b'])
  await ask(`update networks set native_token = null where id = 'base-wallet'`)
})

test('contracts of coins on a network, and the one of its wrapped coin', async () => {
  const addresses = ['a', 'c', 'none', wrapped.base, wrapped.ethereum]
  expect(await tokens.listedTokens(pool, { ...BASE, addresses })).toEqual(['a', 'c', wrapped.base])
  expect(
    await tokens.listedTokens(pool, { networkId: 'ethereum', blockchain: 'ethereum', addresses }),
  ).toEqual(['a', wrapped.ethereum])
})

describe('stored tokens', () => {
  const insert = (networkId: string, blockchain: string, addresses: readonly string[]) =>
    tokens.insertTokens(pool, {
      networkId,
      blockchain,
      source: 'test',
      fetchedAt: at,
      tokens: addresses.map((address) => ({ address, symbol: `S-${address}`, name: null, decimals: 18 })),
    })

  test('have the coin of their contract, the native coin if they wrap it, or one of their own', async () => {
    const addresses = ['a', 'new', wrapped.base, wrapped.ethereum]
    expect(await insert('base-wallet', 'base', ['a'])).toEqual(['a'])
    expect((await insert('base-wallet', 'base', addresses)).toSorted()).toEqual(addresses.slice(1).toSorted())
    await insert('ethereum', 'ethereum', ['a', 'new', 'elsewhere'])
    const rows = await ask<{ address: string; coin_id: string }>(
      `select address, coin_id from tokens where network_id = 'base-wallet'`,
    )
    expect(new Map(rows.map((row) => [row.address, row.coin_id]))).toEqual(
      new Map([
        ['a', 'first'],
        ['new', 'new_base'],
        [wrapped.base, 'ethereum'],
        [wrapped.ethereum, `${wrapped.ethereum}_base`],
      ]),
    )
    expect(await tokens.unknownTokens(pool, { ...BASE, addresses: ['a', 'elsewhere'] })).toEqual([
      'elsewhere',
    ])
  })

  test('have facts: whose contract they are, and whether a coin of their own has prices', async () => {
    const facts = async () => {
      const used = ['a', 'new', 'elsewhere', wrapped.base].map((address, i) => ({
        address,
        receivers: i,
        isNft: i === 1,
      }))
      const rows = await inOne((client) =>
        tokens.tokenFacts(client, { networkId: 'base-wallet', tokens: used }),
      )
      return new Map(
        rows.map((row) => [
          row.address,
          [row.coin_id, row.known_coin_id, row.priced, row.receivers, row.is_nft],
        ]),
      )
    }
    const known = (isPriced: boolean) =>
      new Map([
        ['a', ['first', 'first', false, 0, false]],
        ['new', ['new_base', null, isPriced, 1, true]],
        [wrapped.base, ['ethereum', 'ethereum', false, 3, false]],
      ])
    await insertPrices(db, { coinId: 'first', resolution: 'day', points: [[at, '1']] })
    await insertPrices(db, { coinId: 'first', resolution: 'hour', points: [[at, '1']] })
    expect(await facts()).toEqual(known(false))
    for (const resolution of ['day', 'hour'] as const) {
      await insertPrices(db, { coinId: 'new_base', resolution, points: [[at, '1']] })
      expect(await facts()).toEqual(known(true))
      await ask(`delete from price_${resolution}s where coin_id = 'new_base'`)
    }
  })

  test('of coins are those of the network that are no spam', async () => {
    const coinIds = ['first', 'second', 'new_base']
    const contracts = async () =>
      (await tokens.contractsOfCoins(pool, { networkId: 'base-wallet', coinIds })).map(
        ({ address }) => address,
      )
    expect(await contracts()).toEqual(['a', 'new'])
    await ask(
      `update tokens set spam_reason = 'advertises' where network_id = 'base-wallet' and address = 'new'`,
    )
    expect(await contracts()).toEqual(['a'])
    await ask('update tokens set spam_reason = null')
  })
})

test('spam imitates the symbols of the 250 largest coins and of networks', async () => {
  const symbols = await inOne((client) => tokens.majorSymbols(client))
  const [hidden] = await ask<{ symbol: string }>(
    `select symbol from networks where not in_all and symbol not in (select symbol from networks where in_all) limit 1`,
  )
  expect(symbols).toContain('LAST')
  expect(symbols).toContain('POL')
  expect(symbols).not.toContain('MINOR')
  expect(symbols).not.toContain(hidden!.symbol)
})

describe('tokens in transfers', () => {
  beforeAll(async () => {
    await ask(`insert into wallets (address) values ('one'), ('two'), ('three')`)
    await ask(
      `insert into wallet_syncs (wallet_id, network_id, cursor_block, normalised_block)
       select wallets.id, network, 100, 100 from wallets, unnest(array['base-wallet', 'ethereum']) network`,
    )
    await ask(
      `insert into transfers (network_id, tx_hash, kind, position, token_address, from_address, to_address, raw, fan_out,
         block_number, block_hash, at, source, fetched_at)
       select network, 'tx', kind, row_number() over (), token, giver, taker, 1, fan, block, 'hash', $1, 'test', $1 from (values
         ('base-wallet', 'erc20', 'a', 'one', 'x', 5, 30), ('base-wallet', 'erc20', 'a', 'x', 'one', 9, 20),
         ('base-wallet', 'erc721', 'nft', 'x', 'one', 1, 25), ('base-wallet', 'approval', 'new', 'one', 'x', 1, 26),
         ('base-wallet', 'native', null, 'one', 'x', 1, 10), ('base-wallet', 'erc20', 'a', 'x', 'two', 99, 40),
         ('base-wallet', 'erc20', 'other', 'x', 'two', 99, 5), ('ethereum', 'erc20', 'a', 'one', 'x', 77, 3),
         ('ethereum', 'erc721', 'a', 'three', 'x', 77, 3)
       ) as moved (network, kind, token, giver, taker, fan, block)`,
      [at],
    )
  })

  test('of a wallet, with the most receivers of one transaction', async () => {
    expect(await tokens.usedTokens(pool, { networkId: 'base-wallet', addresses: ['one'] })).toEqual([
      { address: 'a', receivers: 9, isNft: false },
      { address: 'new', receivers: 1, isNft: false },
      { address: 'nft', receivers: 1, isNft: true },
    ])
  })

  test('of a range of blocks of each of several wallets', async () => {
    const wallets = await ask<{ id: string; address: string }>(
      'select id::text, address from wallets order by id',
    )
    const of = (address: string, fromBlock: number, toBlock: number) => ({
      walletId: wallets.find((one) => one.address === address)!.id,
      addresses: [address],
      fromBlock,
      toBlock,
    })
    const ranges = [of('one', 25, 30), of('two', 5, 39)]
    const found = await rangeTokens(pool, { networkId: 'base-wallet', ranges })
    const shown = found.map((one) =>
      [
        wallets.find(({ id }) => id === one.walletId)!.address,
        one.address,
        one.receivers,
        one.moves,
        one.isNft,
      ].join(' '),
    )
    expect(shown.toSorted()).toEqual([
      'one a 5 true false',
      'one new 1 false false',
      'one nft 1 false true',
      'two other 99 true false',
    ])
  })

  test('that become another coin have the wallets that moved them derived again, each from its first such block', async () => {
    const derived = async () => {
      const rows = await ask<{ key: string; block: number }>(
        `select address || ' ' || network_id as key, normalised_block::int as block from wallet_syncs join wallets on id = wallet_id
         where normalised_block < 100 order by 1`,
      )
      return rows.map(({ key, block }) => `${key} ${block}`)
    }
    const reclassify = (isNew: boolean) =>
      inOne((client) =>
        tokens.reclassifyTokens(client, {
          networkId: 'base-wallet',
          tokens: [{ address: 'a', coinId: 'changed', spamReason: 'multisend', isNew }],
        }),
      )
    await reclassify(true)
    expect(await derived()).toEqual([])
    expect(
      await ask(`select network_id, address, spam_reason from tokens where coin_id = 'changed'`),
    ).toEqual([{ network_id: 'base-wallet', address: 'a', spam_reason: 'multisend' }])
    await reclassify(false)
    expect(await derived()).toEqual(['one base-wallet 19', 'two base-wallet 39'])
    // Nobody moved it.
    await inOne((client) =>
      tokens.reclassifyTokens(client, {
        networkId: 'base-wallet',
        tokens: [{ address: wrapped.base, coinId: 'ethereum', spamReason: null, isNew: false }],
      }),
    )
    expect(await derived()).toEqual(['one base-wallet 19', 'two base-wallet 39'])
  })
})
