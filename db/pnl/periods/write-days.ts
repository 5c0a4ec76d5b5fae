import type pg from 'pg'
import { formatDecimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
import type { Paid } from '../legs/value-unpriced.ts'
import type { Money } from '../valuation/money.ts'

interface DaysOfBook {
  client: pg.ClientBase
  bookId: string
}

interface DayToWrite {
  atMs: number
  value: Money
  flow: Money
  stale: boolean
  balances: Map<string, Decimal>
  paid: Map<string, Paid>
}

type NewDays = DaysOfBook & { afterMs: number; days: readonly DayToWrite[] }

/** Deletes the days that close after `afterMs`, except those of (fromMs, toMs], which writeDays replaces. */
export async function deleteDaysOutside(
  input: DaysOfBook & { afterMs: number; fromMs: number; toMs: number },
): Promise<void> {
  const instants = [input.afterMs, input.fromMs, input.toMs].map((ms) => new Date(ms))
  const scope = 'book_id = $1 and at > $2 and (at <= $3 or at > $4)'
  await input.client.query(
    `with gone as (delete from pl_days where ${scope}) delete from balance_days where ${scope}`,
    [input.bookId, ...instants],
  )
}

/**
 * Writes the days that close after `afterMs`, one row each and one per changed balance. Replaces stored rows
 * and leaves equal ones untouched, because a late transaction changes few balances of the days after it.
 */
export async function writeDays(input: NewDays): Promise<void> {
  const { client, days } = input
  const column = (pick: (day: DayToWrite) => Decimal) => days.map((day) => formatDecimal(pick(day)))
  await client.query(
    `insert into pl_days as stored
       (book_id, at, value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth, stale)
     select $1, * from unnest($2::timestamptz[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
       $7::numeric[], $8::numeric[], $9::boolean[])
     on conflict (book_id, at) do update set (value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth,
       stale) = (excluded.value_usd, excluded.value_btc, excluded.value_eth, excluded.flow_usd, excluded.flow_btc,
       excluded.flow_eth, excluded.stale)`,
    [
      input.bookId,
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
  const changed = await changedCoins(input)
  if (changed.size === 0) return
  // In the order of the key, so that neighbours in the index are written together.
  const balances = days
    .flatMap((day) =>
      [...day.balances].map(([coinId, quantity]) => ({
        coinId,
        atMs: day.atMs,
        quantity,
        paid: day.paid.get(coinId),
      })),
    )
    .filter(({ coinId }) => changed.has(coinId))
    .sort((a, b) => (a.coinId < b.coinId ? -1 : a.coinId > b.coinId ? 1 : a.atMs - b.atMs))
  await client.query(
    `with computed as materialized (
       select * from unnest($2::text[], $3::timestamptz[], $4::numeric[], $5::smallint[],
         $9::numeric[], $10::numeric[]) as c (coin_id, at, raw, decimals, paid_quantity, paid_usd)
     ), stored as materialized (
       select coin_id, at, raw, decimals, paid_quantity, paid_usd from balance_days
       where book_id = $1 and coin_id = any($8) and at > $6 and at <= $7
     ), gone as (
       delete from balance_days as day using stored
       where day.book_id = $1 and day.coin_id = stored.coin_id and day.at = stored.at
         and not exists (select from computed where computed.coin_id = stored.coin_id and computed.at = stored.at)
     )
     insert into balance_days (book_id, coin_id, at, raw, decimals, paid_quantity, paid_usd)
     select $1, * from (select * from computed except all select * from stored) as changed
     on conflict (book_id, coin_id, at) do update set raw = excluded.raw, decimals = excluded.decimals,
       paid_quantity = excluded.paid_quantity, paid_usd = excluded.paid_usd`,
    [
      input.bookId,
      balances.map((row) => row.coinId),
      balances.map((row) => new Date(row.atMs)),
      balances.map((row) => row.quantity.coefficient.toString()),
      balances.map((row) => row.quantity.scale),
      ...range(input),
      [...changed],
      balances.map(({ paid }) => paid && formatDecimal(paid.quantity)),
      balances.map(({ paid }) => paid && formatDecimal(paid.usd)),
    ],
  )
}

const range = ({ afterMs, days }: NewDays) => [new Date(afterMs), new Date(days.at(-1)?.atMs ?? afterMs)]

/** Coins whose stored balances differ. One text per coin, as the driver parses rows ten times as slowly. */
async function changedCoins(input: NewDays): Promise<Set<string>> {
  const computed = new Map<string, string>()
  for (const day of input.days) {
    const number = (day.atMs - input.afterMs) / DAY_MS
    for (const [coinId, { coefficient, scale }] of day.balances) {
      const paid = day.paid.get(coinId)
      const cost = paid ? `${formatDecimal(paid.quantity)}:${formatDecimal(paid.usd)}` : ':'
      computed.set(coinId, `${computed.get(coinId) ?? ''} ${number}:${coefficient}:${scale}:${cost}`)
    }
  }
  const { rows } = await input.client.query<{ coin_id: string; balances: string }>(
    `select coin_id, string_agg(
       concat(' ', (at at time zone 'UTC')::date - ($2::timestamptz at time zone 'UTC')::date, ':', raw, ':', decimals, ':', paid_quantity, ':', paid_usd), ''
       order by at) as balances
     from balance_days where book_id = $1 and at > $2 and at <= $3 group by coin_id`,
    [input.bookId, ...range(input)],
  )
  const stored = new Map(rows.map((row) => [row.coin_id, row.balances]))
  const coinIds = new Set([...computed.keys(), ...stored.keys()])
  return new Set([...coinIds].filter((coinId) => computed.get(coinId) !== stored.get(coinId)))
}
