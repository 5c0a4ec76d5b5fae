import { readBranchFigures } from '../db/chain/branches.ts'
import { countWalletSyncs } from '../db/chain/count-syncs.ts'
import { readSourceChanges } from '../db/console/read-changes.ts'
import type { Db } from '../db/schema.ts'
import { countWebhooks } from '../db/events/count-webhooks.ts'
import { countExchangeSyncs } from '../db/exchanges/count-syncs.ts'
import { readOutbox, readRowsWritten } from '../db/sources/read-figures.ts'
import { readSourceHealth, type SourceHealth } from '../db/sources/read.ts'
import { hasFailedLast, lagOf } from '../db/sources/source-state.ts'
import { AREAS } from './all-areas.ts'

export type IngestFigures = Awaited<ReturnType<typeof readIngestFigures>>

/** Seconds from which what an area gives counts as late. */
export const targetOf = (area: string): number =>
  AREAS.find(({ name }) => name === area)?.freshnessTargetSeconds ?? Infinity

/** The age of what a source gave (Infinity: nothing), and whether its last request got no usable answer. */
export function answersOf(health: SourceHealth, now: Date): { lagSeconds: number; isFailing: boolean } {
  return { lagSeconds: lagOf(health, now) ?? Infinity, isFailing: hasFailedLast(health) }
}

/** How ingestion stands, for metrics and for the rules of incidents. */
export async function readIngestFigures(db: Db) {
  const [health, changes, outbox, rowsWritten, wallets, accounts, webhooks, branches] = await Promise.all([
    readSourceHealth(db),
    readSourceChanges(db),
    readOutbox(db),
    readRowsWritten(db),
    countWalletSyncs(db, { targetS: targetOf('chain') }),
    countExchangeSyncs(db, { targetS: targetOf('exchanges') }),
    countWebhooks(db),
    readBranchFigures(db),
  ])
  return {
    health,
    changes,
    outbox,
    rowsWritten,
    syncs: { chain: wallets, exchanges: accounts },
    webhooks,
    branches,
  }
}
