import type { DuckDBConnection } from '@duckdb/node-api'
import { sql } from 'kysely'
import { z } from 'zod'
import { mergedBalances } from '../api/chain/balance.ts'
import { plHistory } from '../api/pnl/pl-history.ts'
import { plShape } from '../api/pnl/pl-window.ts'
import { readSyncedWallets } from '../db/chain/read-syncs.ts'
import type { Db, ReadonlyDb } from '../db/schema.ts'
import { readSql } from '../db/read-sql.ts'
import { readBookSet } from '../db/pnl/books.ts'
import { readPortfolios } from '../db/portfolios/read-portfolios.ts'
import { add, type Decimal, decimal, subtract, toNumber, ZERO } from '../db/values/decimal.ts'
import { duckRows, literal } from './duckdb.ts'
import type { Verification } from './verify.ts'

/** Number of compared figures of the API. */
export interface ApiFigures {
  balances: number
  months: number
}

interface Input {
  db: Db
  duckdb: DuckDBConnection
  verification: Verification
}

/**
 * Runs the code of /wallet/balance and /portfolio/pl/history on the snapshot of the verification and compares
 * the answers with the catalog: every balance of every wallet and every whole month of every portfolio, to
 * the last bit of the number in the JSON. Skips data that changed in the database since the export.
 */
export async function compareWithApi(input: Input): Promise<ApiFigures> {
  return { balances: await compareBalances(input), months: await compareMonths(input) }
}

const isUnchanged = ({ datasets }: Verification, names: readonly string[]): boolean =>
  datasets.every(({ name, changedSince }) => !names.includes(name) || changedSince === 0)

async function compareBalances({ db, duckdb, verification }: Input): Promise<number> {
  if (!isUnchanged(verification, ['wallets', 'tokens', 'networks'])) return 0
  const exported = await duckRows<{ wallet: string; key: string; amount: string }>(
    duckdb,
    `select wallets.address as wallet,
       concat_ws(' ', balances.network_id, balances.coin_id, balances.token_address) as key,
       coalesce(balances.amount::varchar, balances.unfit ->> 'amount') as amount
     from catalog.main.balances as balances
     join catalog.main.wallets as wallets on wallets.id = balances.wallet_id
     join catalog.main.wallet_syncs as syncs on syncs.wallet_id = balances.wallet_id
       and syncs.network_id = balances.network_id and syncs.synced_at is not null
     left join catalog.main.tokens as tokens on tokens.network_id = balances.network_id
       and tokens.address = balances.token_address
     where (balances.raw > 0 or balances.raw is null) and tokens.spam_reason is null`,
  )
  const syncedThen = await syncedNetworks(duckdb)
  const byWallet = Map.groupBy(exported, ({ wallet }) => wallet)
  const [readThen, readNow] = await Promise.all([exportedReads(duckdb), storedReads(db)])
  let compared = 0
  for (const [address, networksThen] of syncedThen) {
    const wallets = await readSyncedWallets(readonly(db), [address])
    const networks = wallets.map(({ networkId }) => networkId).sort()
    // `wallet_syncs` moves with each block of a follower. Here it only matters which histories are complete.
    if (networks.join() !== networksThen || readThen.get(address) !== readNow.get(address)) continue
    const { balances: answered } = await mergedBalances(readonly(db), { wallets, includeSpam: false })
    const own = new Map(byWallet.get(address)?.map(({ key, amount }) => [key, toNumber(decimal(amount))]))
    const keyOf = (one: (typeof answered)[number]) =>
      [
        one.connectionId,
        one.coinId,
        ...(one.contractAddress === undefined ? [] : [one.contractAddress]),
      ].join(' ')
    if (own.size !== answered.length)
      verification.differences.push(
        `${address}: ${own.size} balances in the export, ${answered.length} in the API`,
      )
    for (const one of answered)
      if (own.get(keyOf(one)) !== one.amount)
        verification.differences.push(
          `${address} ${keyOf(one)}: ${own.get(keyOf(one))} in the export, ${one.amount} in the API`,
        )
    compared += answered.length
  }
  return compared
}

interface BalanceRead {
  address: string
  read: string
}

/** When each balance of a wallet was read, by address: prices change the dataset too, and do not matter here. */
const readsByWallet = (rows: readonly BalanceRead[]): Map<string, string> =>
  new Map(
    [...Map.groupBy(rows, ({ address }) => address)].map(([address, reads]) => [
      address,
      reads
        .map(({ read }) => read)
        .sort()
        .join(),
    ]),
  )

async function exportedReads(duckdb: DuckDBConnection): Promise<Map<string, string>> {
  return readsByWallet(
    await duckRows<BalanceRead>(
      duckdb,
      `select wallets.address, concat_ws(' ', network_id, coin_id, epoch_us(fetched_at)) as read
       from catalog.main.balances as balances join catalog.main.wallets as wallets on wallets.id = wallet_id`,
    ),
  )
}

async function storedReads(db: Db): Promise<Map<string, string>> {
  return readsByWallet(
    await readSql(
      db,
      sql<BalanceRead>`select wallets.address,
          concat_ws(' ', network_id, coin_id, (extract(epoch from fetched_at) * 1000000)::bigint) as read
        from balances join wallets on wallets.id = wallet_id`,
    ),
  )
}

/** The networks on which the history of each wallet was complete, in order, by address. */
async function syncedNetworks(duckdb: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await duckRows<{ address: string; networks: string }>(
    duckdb,
    `select wallets.address, string_agg(syncs.network_id, ',' order by syncs.network_id) as networks
     from catalog.main.wallet_syncs as syncs join catalog.main.wallets as wallets on wallets.id = syncs.wallet_id
     where syncs.synced_at is not null group by all`,
  )
  return new Map(rows.map(({ address, networks }) => [address, networks]))
}

async function compareMonths({ db, duckdb, verification }: Input): Promise<number> {
  if (!isUnchanged(verification, ['portfolios', 'pl_days'])) return 0
  const now = new Date(verification.exportedAt)
  const query = z.object(plShape).parse({ interval: 'monthly', range: 'all' })
  let compared = 0
  for (const { account_id: accountId } of await db
    .selectFrom('portfolios')
    .select('account_id')
    .distinct()
    .where('account_id', 'is not', null)
    .execute())
    for (const portfolio of await readPortfolios(readonly(db), { accountId: accountId! })) {
      const { body } = await plHistory(readonly(db), {
        query,
        now,
        readScope: async () => ({
          ...(await readBookSet(readonly(db), {
            accountId: accountId!,
            portfolios: [portfolio],
            isWhole: false,
          })),
          lastSyncedAt: null,
        }),
      })
      const own = await monthsOf(duckdb, portfolio.id)
      for (const { date, profitLoss } of body.result) {
        const profit = own.get(date)
        // The API also answers the current part of a month; the export only has midnights.
        if (profit === undefined) continue
        compared++
        if (toNumber(profit) !== profitLoss)
          verification.differences.push(
            `portfolio ${portfolio.id}, month to ${date}: ${toNumber(profit)} USD in the export, ${profitLoss} in the API`,
          )
      }
    }
  return compared
}

/** Returns the profit in USD of each whole month of a portfolio, by the end of the month, from all digits. */
async function monthsOf(duckdb: DuckDBConnection, portfolioId: string): Promise<Map<string, Decimal>> {
  const days = await duckRows<{ at: Date; value: string; flow: string }>(
    duckdb,
    `select occurred_at as at, value_usd_exact as value, flow_usd_exact as flow from catalog.main.pl_days
     where book_id = (select book_id from catalog.main.portfolios where id = ${literal(portfolioId)}) order by occurred_at`,
  )
  const months = new Map<string, Decimal>()
  let opening = ZERO
  let flow = ZERO
  for (const day of days) {
    flow = add(flow, decimal(day.flow))
    if (day.at.getUTCDate() !== 1) continue
    const closing = decimal(day.value)
    months.set(day.at.toISOString(), subtract(subtract(closing, opening), flow))
    opening = closing
    flow = ZERO
  }
  return months
}

const readonly = (db: Db): ReadonlyDb => db as unknown as ReadonlyDb
