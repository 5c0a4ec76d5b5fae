import { afterAll, beforeAll, expect, test } from 'vitest'
import { identifyTokens } from '../../activities/chain/identify-tokens.ts'
import type { WalletSource } from '../../activities/chain/wallet-source.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)

const [FIRST, SECOND, TOKEN] = ['0xa1', '0xa2', '0xb1']

beforeAll(() =>
  query(
    database.ownerUrl,
    `with made as (insert into wallets (address) values ('${FIRST}'), ('${SECOND}') returning id, address),
       synced as (
         insert into wallet_syncs (wallet_id, network_id, cursor_block) select id, 'ethereum', 9 from made)
     insert into transfers (network_id, tx_hash, kind, position, token_address, from_address, to_address, raw, block_number,
       block_hash, at, source, fetched_at)
     select 'ethereum', '0xc' || id, 'erc20', 0, '${TOKEN}', '0xd1', address, 1, 5, '0xe1', now(), 'test', now() from made`,
  ),
)

test('a token identified by two wallets at once is spam for both', async () => {
  const source: Pick<WalletSource, 'name' | 'readTokens'> = {
    name: 'test',
    readTokens: async () => {
      // Meanwhile the other wallet has finished with the token.
      await query(
        database.ownerUrl,
        `with known as (
           insert into tokens (network_id, address, symbol, name, decimals, coin_id, source, fetched_at)
           values ('ethereum', '${TOKEN}', 'GIFT', 'claim at gift.xyz', 18, '${TOKEN}_ethereum', 'test', now()))
         update wallet_syncs set normalised_block = 9
         where wallet_id = (select id from wallets where address = '${FIRST}')`,
      )
      return [{ address: TOKEN, symbol: 'GIFT', name: 'claim at gift.xyz', decimals: 18 }]
    },
  }
  await identifyTokens(
    { pool, source: source as WalletSource, now: () => new Date(), onProgress: () => {} },
    { networkId: 'ethereum', blockchain: 'ethereum', address: SECOND },
  )
  expect(await query(database.ownerUrl, 'select spam_reason from tokens')).toEqual([
    { spam_reason: 'advertises' },
  ])
  expect(
    await query(
      database.ownerUrl,
      `select normalised_block from wallet_syncs join wallets on id = wallet_id where address = '${FIRST}'`,
    ),
  ).toEqual([{ normalised_block: '4' }])
})

test('the wrapped form of a network coin is the coin, on every network that has one', async () => {
  const networks = await query<{ id: string; blockchain: string; coin_id: string; wrapped: string }>(
    database.ownerUrl,
    `select id, blockchain, coin_id, wrapped_address as wrapped from networks
     -- CELO is a token itself.
     where kind in ('evm', 'solana', 'tron') and id <> 'celo-wallet' order by position`,
  )
  expect(networks.filter(({ wrapped }) => wrapped === null)).toEqual([])
  const readTokens = async (addresses: readonly string[]) =>
    addresses.map((address) => ({ address, symbol: 'WRAP', name: 'Wrapped', decimals: 18 }))
  for (const { id, blockchain, coin_id, wrapped } of networks) {
    // A coin list knows the contract as a coin of its own.
    await query(
      database.ownerUrl,
      `with made as (insert into wallets (address) values ('${id}') returning id),
         synced as (insert into wallet_syncs (wallet_id, network_id, cursor_block) select id, '${id}', 9 from made),
         coin as (insert into coins (id, symbol, name, slug, source, fetched_at, last_seen_at)
           values ('wrapped-${id}', 'WRAP', 'Wrapped', 'wrapped-${id}', 'test', now(), now()) returning id),
         listed as (insert into coin_contracts (blockchain, address, coin_id, source, fetched_at)
           select '${blockchain}', '${wrapped}', id, 'test', now() from coin)
       insert into transfers (network_id, tx_hash, kind, position, token_address, from_address, to_address, raw,
         block_number, block_hash, at, source, fetched_at)
       values ('${id}', '0xf1', 'wrap', 0, '${wrapped}', '', '${id}', 1, 5, '0xe1', now(), 'test', now())`,
    )
    await identifyTokens(
      {
        pool,
        source: { name: 'test', readTokens } as unknown as WalletSource,
        now: () => new Date(),
        onProgress: () => {},
      },
      { networkId: id, blockchain, address: id },
    )
    expect(
      await query(
        database.ownerUrl,
        `select coin_id, spam_reason from tokens where network_id = '${id}' and address = '${wrapped}'`,
      ),
    ).toEqual([{ coin_id, spam_reason: null }])
  }
})
