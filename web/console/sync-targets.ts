import { ApiError } from '../../api/errors.ts'
import { syncsOf } from '../../api/chain/synced-wallets.ts'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import { readWalletProgress, type SyncProgress } from '../../db/chain/read-sync-progress.ts'
import { readSyncSubject, type SyncSubject } from '../../db/console/order-sync.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { readExchangeProgress } from '../../db/exchanges/read-sync-progress.ts'
import { isNetworkId, type NetworkId } from '../../db/values/networks.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { explainNoNetwork } from './networks-of-address.ts'

/** A sync that can be asked for. */
export interface SyncTarget {
  /** `ethereum`, `binance`. */
  name: string
  subject: SyncSubject
  read: (asked: { fromCursor: string | null; since: Date }) => Promise<SyncProgress>
}

/** There is nothing to sync under this name; the message says why. `isTyped`: what was typed cannot be a name. */
export class NothingToSync extends Error {
  readonly isTyped: boolean

  constructor(message: string, isTyped = false) {
    super(message)
    this.name = 'NothingToSync'
    this.isTyped = isTyped
  }
}

interface SyncDbs {
  /** Connects as role `console`, or as the owner. */
  db: Db | ReadonlyDb
  /** Connects as role `api`, or as the owner. */
  served: ReadonlyDb
}

/**
 * Finds the syncs of a wallet address, or of the portfolio that follows a wallet or an exchange account. Throws
 * NothingToSync.
 */
export async function syncTargets(
  dbs: SyncDbs,
  { subject, network }: { subject: string; network: string | undefined },
): Promise<SyncTarget[]> {
  if (network !== undefined && !isNetworkId(network))
    throw new NothingToSync(`there is no network "${network}"; see GET /v1/wallet/blockchains`, true)
  const wallet = parseWalletAddress(subject)
  if (wallet) return walletTargets(dbs, { address: wallet.address, network: network ?? 'all' })
  if (!isUuid(subject))
    throw new NothingToSync(`${subject} is neither an address nor the id of a portfolio`, true)
  const found = await readSyncSubject(dbs.db, subject)
  if (!found) throw new NothingToSync(`no portfolio ${subject}; see "sluice portfolios list"`)
  if (found.kind === 'manual') throw new NothingToSync('manual portfolios do not sync')
  if (found.kind === 'wallet')
    return walletTargets(dbs, { address: found.address!, network: found.networkId as NetworkId })
  const connectionId = subject
  const read: SyncTarget['read'] = ({ since }) => readExchangeProgress(dbs.db, { connectionId, since })
  return [{ name: found.venue ?? 'exchange', subject: { connectionId }, read }]
}

async function walletTargets(
  { db, served }: SyncDbs,
  wallet: { address: string; network: NetworkId | 'all' },
): Promise<SyncTarget[]> {
  const syncs = await syncsOf(served, [wallet]).catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const active = new Set<string>((await readActiveNetworks(served)).map(({ id }) => id))
    const reason = error.statusCode === 503 ? explainNoNetwork(wallet.address, active) : error.message
    throw new NothingToSync(`${reason}; see "sluice sources"`)
  })
  return syncs.map((sync) => ({
    name: sync.networkId,
    subject: sync,
    read: ({ fromCursor }) => readWalletProgress(db, { ...sync, fromBlock: Number(fromCursor ?? 0) }),
  }))
}
