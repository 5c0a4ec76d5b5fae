import type pg from 'pg'
import { formatDecimal } from '../values/decimal.ts'
import type { Decimal } from '../values/decimal.ts'
import type { Money } from './money.ts'

interface Scope {
  client: pg.ClientBase
  walletId: string
  networkId: string
}

interface DayToWrite {
  atMs: number
  value: Money
  flow: Money
  stale: boolean
  balances: Map<string, Decimal>
}

/** Takes away the days that close after a midnight. */
export async function deleteDaysAfter(input: Scope & { afterMs: number }): Promise<void> {
  const values = [input.walletId, input.networkId, new Date(input.afterMs)]
  const scope = 'wallet_id = $1 and network_id = $2 and at > $3'
  await input.client.query(
    `with gone as (delete from pl_days where ${scope}) delete from balance_days where ${scope}`,
    values,
  )
}

/** Adds computed days: one row each, and one for every balance that changed. */
export async function insertDays(input: Scope & { days: readonly DayToWrite[] }): Promise<void> {
  const { client, days } = input
  const scope = [input.walletId, input.networkId]
  const column = (pick: (day: DayToWrite) => Decimal) => days.map((day) => formatDecimal(pick(day)))
  await client.query(
    `insert into pl_days (wallet_id, network_id, at, value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth, stale)
     select $1, $2, * from unnest($3::timestamptz[], $4::numeric[], $5::numeric[], $6::numeric[],
       $7::numeric[], $8::numeric[], $9::numeric[], $10::boolean[])`,
    [
      ...scope,
      days.map((day) => new Date(day.atMs)),
      column((day) => day.value.usd),
      column((day) => day.value.btc),
      column((day) => day.value.eth),
      column((day) => day.flow.usd),
      column((day) => day.flow.btc),
      column((day) => day.flow.eth),
      days.map((day) => day.stale),
    ],
  )
  // In the order of the key: rows that stand together in the index are written together.
  const balances = days
    .flatMap((day) => [...day.balances].map(([coinId, quantity]) => ({ coinId, atMs: day.atMs, quantity })))
    .sort((a, b) => (a.coinId < b.coinId ? -1 : a.coinId > b.coinId ? 1 : a.atMs - b.atMs))
  await client.query(
    `insert into balance_days (wallet_id, network_id, coin_id, at, raw, decimals)
     select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::numeric[], $6::smallint[])`,
    [
      ...scope,
      balances.map((row) => row.coinId),
      balances.map((row) => new Date(row.atMs)),
      balances.map((row) => row.quantity.coefficient.toString()),
      balances.map((row) => row.quantity.scale),
    ],
  )
}
