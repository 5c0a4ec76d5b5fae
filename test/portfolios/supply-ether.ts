import type pg from 'pg'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { at } from './portfolio-world.ts'

/** Stores a position of this many ether supplied to a protocol. */
export async function supplyEther(
  pool: pg.Pool,
  { walletId, networkId, ether }: { walletId: string; networkId: string; ether: bigint },
): Promise<void> {
  const position = {
    protocolId: 'aave-v3',
    id: address(7),
    name: 'Lending',
    poolAddress: address(7),
    healthRate: null,
    unlockAt: null,
    endAt: null,
    assets: [{ role: 'supplied' as const, token: null, raw: ether * 10n ** 18n }],
  }
  await transact(pool, ({ client }) =>
    writeDefiRead(client, {
      walletId,
      networkId,
      source: 'test',
      fetchedAt: at('10T11:00:00'),
      block: { number: 1, hash: hash(1), at: at('10T11:00:00') },
      answered: ['aave-v3'],
      unknown: [],
      failure: null,
      positions: [position],
    }),
  )
}
