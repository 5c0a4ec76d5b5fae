import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { walletNfts } from '../../db/defi/wallet-nfts.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address, hash, insertWallet } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)

const [MANAGER, OTHER] = [address(0xa1), address(0xa2)]
const [ONE, TWO, NONE] = [address(0xb1), address(0xb2), address(0xb3)]

test('NFTs of a contract are those that ever came to a wallet, each once, whoever has them now', async () => {
  const synced = { syncs: { ethereum: new Date('2026-03-01T00:00:00Z') } }
  const walletIds: string[] = []
  for (const wallet of [ONE, TWO, NONE])
    walletIds.push(await insertWallet(db, { address: wallet, ...synced }))
  await query(
    database.ownerUrl,
    `insert into transfers (network_id, tx_hash, kind, position, token_address, token_id, from_address, to_address, raw,
       block_number, block_hash, at, source, fetched_at)
     select network, $1, kind, n, token, id, sender, receiver, 1, 1, $1, now(), 'test', now()
     from (values
       (1, 'ethereum', 'erc721', $2, 7, $6, $4), (2, 'ethereum', 'erc721', $2, 7, $4, $5),
       (3, 'ethereum', 'erc721', $2, 7, $5, $4), (4, 'ethereum', 'erc721', $2, 12, $6, $4),
       (5, 'ethereum', 'erc721', $3, 8, $6, $4), (6, 'ethereum', 'erc1155', $2, 9, $6, $4),
       (7, 'base-wallet', 'erc721', $2, 10, $6, $4)
     ) as _ (n, network, kind, token, id, sender, receiver)`,
    [hash(1), MANAGER, OTHER, ONE, TWO, address(0)],
  )
  const found = await walletNfts(pool, { networkId: 'ethereum', walletIds, contract: MANAGER })
  expect(found).toEqual(
    new Map([
      [walletIds[0], [7n, 12n]],
      [walletIds[1], [7n]],
    ]),
  )
})
