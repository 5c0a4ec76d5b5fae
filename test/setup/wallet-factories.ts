import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

const BLOCK_HASH = `0x${'b'.repeat(64)}`
const stored = (at: Date) => ({ block_number: '1', block_hash: BLOCK_HASH, source: 'test', fetched_at: at })

/** Formats a number as an address or hash with that many digits. */
const hex = (digits: number, n: number) => `0x${n.toString(16).padStart(digits, '0')}`
export const address = (n: number) => hex(40, n)
export const hash = (n: number) => hex(64, n)

export async function activateNetworks(db: Db, ids: readonly string[]): Promise<void> {
  await db.updateTable('networks').set({ active: false }).execute()
  await db.updateTable('networks').set({ active: true }).where('id', 'in', ids).execute()
}

/**
 * Inserts a wallet with one sync per network and returns its id. The Date is the last complete sync, or null.
 */
export async function insertWallet(
  db: Db,
  seed: {
    address: string
    syncs: Readonly<Record<string, Date | null>>
    /** Times of the balances that are served until the first sync is complete. */
    balances?: Readonly<Record<string, Date>>
  },
): Promise<string> {
  const { id } = await db
    .insertInto('wallets')
    .values({ address: seed.address })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [networkId, syncedAt] of Object.entries(seed.syncs))
    await db
      .insertInto('wallet_syncs')
      .values({
        wallet_id: id,
        network_id: networkId,
        head_block: null,
        synced_at: syncedAt,
        balances_at: seed.balances?.[networkId] ?? null,
        failed_at: null,
        failure: null,
      })
      .execute()
  return id
}

export interface TransactionSeed {
  networkId: string
  at: Date
  hash: string
  txIndex?: number
  type?: string
  coinIds?: string[]
  identified?: boolean
  main?: { coinId: string; symbol: string; count: string; valueUsd: string | null } | null
  feeUsd?: number
}

/** Inserts rows as the sync does: the fragment is the JSON of the response without its changing fields. */
export async function insertTransactions(
  db: Db,
  seed: { walletId: string; transactions: readonly TransactionSeed[] },
): Promise<void> {
  await db
    .insertInto('wallet_transactions')
    .values(
      seed.transactions.map((row) => ({
        wallet_id: seed.walletId,
        network_id: row.networkId,
        at: row.at,
        tx_index: row.txIndex ?? 0,
        hash: row.hash,
        type: row.type ?? 'deposit',
        coin_ids: row.coinIds ?? (row.main ? [row.main.coinId] : []),
        identified: row.identified ?? true,
        main_coin_id: row.main?.coinId ?? null,
        main_symbol: row.main?.symbol ?? null,
        main_count: row.main?.count ?? null,
        main_value_usd: row.main?.valueUsd ?? null,
        fragment: fragmentOf(row),
        ...stored(row.at),
      })),
    )
    .execute()
}

function fragmentOf(row: TransactionSeed): string {
  const coin = { id: 'ethereum', name: 'Ethereum', symbol: 'ETH', icon: '' }
  const main = row.main && {
    id: `${row.hash}-0`,
    count: Number(row.main.count),
    totalWorth: Number(row.main.valueUsd ?? 0),
    coin: { id: row.main.coinId, name: row.main.coinId, symbol: row.main.symbol, icon: '' },
    fromAddress: address(99),
  }
  return JSON.stringify({
    type: 'Received',
    date: row.at.toISOString(),
    mainContent: { coinIcons: [], coinAssets: [] },
    transactions: [{ action: 'Received', items: main ? [main] : [] }],
    ...(row.feeUsd !== undefined && { fee: { coin, count: 0.001, totalWorth: row.feeUsd } }),
    hash: { id: row.hash, explorerUrl: `https://etherscan.io/tx/${row.hash}` },
  })
}

export async function insertBalance(
  db: Db,
  seed: {
    walletId: string
    networkId: string
    coinId: string
    raw: string
    decimals?: number | null
    token?: { address: string; name?: string; symbol?: string; spamReason?: string }
    at: Date
  },
): Promise<void> {
  const { networkId, token, decimals = 18 } = seed
  if (token)
    await db
      .insertInto('tokens')
      .values({
        network_id: networkId,
        address: token.address,
        symbol: token.symbol ?? null,
        name: token.name ?? null,
        decimals,
        coin_id: seed.coinId,
        spam_reason: token.spamReason ?? null,
        source: 'test',
        fetched_at: seed.at,
      })
      .execute()
  await db
    .insertInto('balances')
    .values({
      wallet_id: seed.walletId,
      network_id: networkId,
      coin_id: seed.coinId,
      token_address: token?.address ?? null,
      raw: seed.raw,
      decimals,
      ...stored(seed.at),
    })
    .execute()
}

/** Inserts one movement of a coin with 18 decimals and its price, which is enough for P&L. */
export async function insertMovement(
  db: Db,
  seed: {
    walletId: string
    networkId: string
    at: Date
    hash: string
    coinId: string
    raw: string
    priceUsd: string
    role?: string
  },
): Promise<void> {
  await db
    .insertInto('movements')
    .values({
      wallet_id: seed.walletId,
      network_id: seed.networkId,
      at: seed.at,
      tx_index: 0,
      tx_hash: seed.hash,
      seq: 0,
      role: seed.role ?? 'transfer',
      coin_id: seed.coinId,
      raw: seed.raw,
      decimals: 18,
      counterparty: null,
      price_usd: seed.priceUsd,
      price_at: seed.at,
      price_source: 'test',
      ...stored(seed.at),
    })
    .execute()
}

/** All messages of the outbox. */
export async function outboxOf(db: Db): Promise<{ workflow: string; workflow_id: string; input: unknown }[]> {
  const { rows } = await sql<{ workflow: string; workflow_id: string; input: unknown }>`
    select workflow, workflow_id, input from outbox order by id`.execute(db)
  return rows
}
