import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countForPlan } from '../../db/nft/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('collections on a marketplace have at least a page of each kind, and at most so many', async () => {
  await run(
    `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
     values ('ethereum', 'ETH', 'Ethereum', 'ethereum', now(), 'test', now()) on conflict do nothing`,
  )
  await run(
    `insert into nft_collections (network_id, address, name, slug, coin_id, source, fetched_at)
     values ('ethereum', 'busy', '', 'busy', 'ethereum', 'test', now()), ('base-wallet', 'idle', '', 'idle', 'ethereum', 'test', now()),
       ('ethereum', 'unlisted', '', null, 'ethereum', 'test', now()), ('solana', 'sent', '', null, 'ethereum', 'test', now())`,
  )
  await run(`insert into wallets (address) values ('one'), ('two'), ('three')`)
  await run(
    `insert into wallet_syncs (wallet_id, network_id)
     select id, case address when 'one' then 'ethereum' else 'solana' end from wallets`,
  )
  await run(
    `insert into nft_assets (network_id, address, token_id, standard, source, fetched_at)
     select 'ethereum', address, n, 'erc721', 'test', now() from generate_series(1, 5) as n, unnest(array['busy', 'unlisted']) as address`,
  )
  await run(
    `insert into nft_listings (network_id, address, order_hash, token_id, seller, quantity, amount, ends_at, source, fetched_at)
     select 'ethereum', 'busy', n::text, n, 's', 1, 1, now() + interval '1 day', 'test', now() from generate_series(1, 9) as n`,
  )
  // Twelve in a day are six in twelve hours; the older one is of another day.
  await run(
    `insert into nft_sales (network_id, address, tx_hash, order_hash, token_id, at, seller, buyer, quantity, amount, source, fetched_at)
     select 'ethereum', 'busy', n::text, n::text, n, now() - n * interval '1 hour', 's', 'b', 1, 1, 'test', now()
     from unnest(array[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 30]) as n`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const perPage = { tokens: 2, offers: 2, sales: 4 }
  const counted = (mostPages: number) =>
    countForPlan(db, { network: 'ethereum', perPage, mostPages, marketSeconds: 43_200 })
  expect(await counted(10)).toEqual({
    'NFT collections': 3,
    'NFT collections on a marketplace': 2,
    'NFT collections on Ethereum': 2,
    'NFT collections on Solana': 1,
    'wallets on Solana for NFTs': 2,
    'pages of NFT tokens': 3 + 1,
    'pages of NFT offers': 5 + 1,
    'pages of NFT sales': 2 + 1,
  })
  expect(await counted(1)).toMatchObject({ 'pages of NFT offers': 2, 'pages of NFT sales': 2 })
  await close()
})
