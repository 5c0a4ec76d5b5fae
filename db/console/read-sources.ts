import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { healthColumns, type SourceHealth } from '../sources/read.ts'
import type { SourceSettings } from '../sources/settings.ts'

export interface KnownSource {
  /** As the worker is set, and as operators have changed it. */
  settings: SourceSettings
  /** An operator has paused it. Absent: nobody has. */
  isHeld?: boolean
  /** An operator has changed its rate or its budget. */
  isChanged?: boolean
  /** undefined: no request was sent yet. */
  health: SourceHealth | undefined
}

type Row = Omit<SourceSettings, 'quota'> &
  SourceHealth & {
    known: boolean
    isHeld: boolean
    isChanged: boolean
    quota: number | null
    quotaPer: 'day' | 'month' | null
    unit: string | null
  }

/** Reads the settings and health of every source, by area and name. */
export async function readSources(db: Db | ReadonlyDb): Promise<KnownSource[]> {
  const rows = await readSql(
    db,
    sql<Row>`
      select name, name as source, area, missing, freshness_target_s as "freshnessTargetSeconds",
        requests_per_second as "requestsPerSecond", burst, quota, quota_per as "quotaPer", unit, account, known,
        is_held as "isHeld", is_changed as "isChanged", ${healthColumns}
      from operations.sources order by area, name`,
  )
  return rows.map(({ known, isHeld, isChanged, quota, quotaPer, unit, ...row }) => ({
    isHeld,
    isChanged,
    settings: {
      ...row,
      quota:
        quota !== null && quotaPer !== null && unit !== null ? { units: quota, per: quotaPer, unit } : null,
    },
    health: known ? row : undefined,
  }))
}

/** Requested syncs that are not done. */
export interface Queue {
  /** Commands without a workflow yet. */
  commands: number
  oldestCommandAt: Date | null
  wallets: number
  /** Wallets that were never synced completely. */
  walletsBegun: number
  walletsFailed: number
  oldestWalletAt: Date | null
  /** Wallets with history that no source gives, and the usual reason. */
  walletsWithGaps: number
  gapReason: string | null
  /** coins without a part of their past prices, because no plan has it */
  coinsWithGaps: number
  priceGapReason: string | null
  exchanges: number
  exchangesBegun: number
  exchangesFailed: number
  oldestExchangeAt: Date | null
}

export async function readQueue(db: ReadonlyDb): Promise<Queue> {
  const [queue] = await readSql(
    db,
    sql<Queue>`
      select commands, oldest_command_at as "oldestCommandAt", wallets, wallets_begun as "walletsBegun",
        wallets_failed as "walletsFailed", oldest_wallet_at as "oldestWalletAt", exchanges,
        exchanges_begun as "exchangesBegun", exchanges_failed as "exchangesFailed", oldest_exchange_at as "oldestExchangeAt",
        wallets_with_gaps as "walletsWithGaps", gap_reason as "gapReason",
        coins_with_gaps as "coinsWithGaps", price_gap_reason as "priceGapReason"
      from operations.queue`,
  )
  return queue!
}
