import { ApiError } from '../api/errors.ts'
import { syncsOf } from '../api/chain/synced-wallets.ts'
import { readWalletProgress, type SyncProgress } from '../db/chain/read-sync-progress.ts'
import type { Db, ReadonlyDb } from '../db/schema.ts'
import { readExchangeProgress } from '../db/exchanges/read-sync-progress.ts'
import type { Command } from '../db/metering/meter.ts'
import { exchangeSync, walletSync } from '../db/sync-commands.ts'
import { isNetworkId, type NetworkId } from '../db/values/networks.ts'
import { isUuid } from '../db/values/uuid.ts'
import { parseWalletAddress } from '../db/values/wallet-address.ts'
import { CommandError, UsageError } from './command.ts'

/** A sync that can be requested. */
export interface SyncTarget {
  /** `ethereum`, `binance`. */
  name: string
  command: Command
  read: (asked: { fromCursor: string | null; since: Date }) => Promise<SyncProgress>
}

/** Finds the syncs of a wallet address, or of the portfolio that follows a wallet or an exchange account. */
export async function syncTargets(
  db: Db,
  { subject, network }: { subject: string; network: string | undefined },
): Promise<SyncTarget[]> {
  if (network !== undefined && !isNetworkId(network))
    throw new UsageError(`there is no network "${network}"; see GET /v1/wallet/blockchains`)
  const wallet = parseWalletAddress(subject)
  if (wallet) return walletTargets(db, { address: wallet.address, network: network ?? 'all' })
  if (!isUuid(subject)) throw new UsageError(`${subject} is neither an address nor the id of a portfolio`)
  const found = await db
    .selectFrom('portfolios')
    .leftJoin('exchange_connections', 'exchange_connections.id', 'portfolios.id')
    .select(['kind', 'address', 'network_id', 'venue'])
    .where('portfolios.id', '=', subject)
    .executeTakeFirst()
  if (!found) throw new CommandError(`no portfolio ${subject}; see "sluice portfolios list"`)
  if (found.kind === 'manual') throw new CommandError('manual portfolios do not sync')
  if (found.kind === 'wallet')
    return walletTargets(db, { address: found.address!, network: found.network_id as NetworkId })
  const read: SyncTarget['read'] = ({ since }) => readExchangeProgress(db, { connectionId: subject, since })
  return [{ name: found.venue ?? 'exchange', command: exchangeSync(subject), read }]
}

async function walletTargets(
  db: Db,
  wallet: { address: string; network: NetworkId | 'all' },
): Promise<SyncTarget[]> {
  const syncs = await syncsOf(db as unknown as ReadonlyDb, [wallet]).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const reason = error.statusCode === 503 ? 'no network of this address has a source' : error.message
    throw new CommandError(`${reason}; see "sluice sources"`)
  })
  return syncs.map((sync) => ({
    name: sync.networkId,
    command: walletSync(sync),
    read: ({ fromCursor }) => readWalletProgress(db, { ...sync, fromBlock: Number(fromCursor ?? 0) }),
  }))
}
