import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { isSwap, LABEL_ROLES, type LabelRole } from '../pnl/legs/roles.ts'
import { exchangeSync } from '../sync-commands.ts'
import { recomputePortfolio } from './commands.ts'
import { lockPortfolio } from './lock-portfolio.ts'
import { order } from './operator.ts'

// Operator corrections of exchange transactions. They are stored beside the data of the exchange, so that the
// next sync changes neither. Figures follow from the day of each change. A function returns why it refuses;
// null: done.

/** A transaction of an exchange account, by the key of the exchange. */
export interface ExchangeKey {
  portfolioId: string
  kind: string
  key: string
}

type Refusal = string | null

const ONE_SIDED = LABEL_ROLES.filter((role) => !isSwap({ role }))

interface Row {
  at: Date
  amount: string
  hasTwoSides: boolean
}

/** The newest transactions of an account, with their corrections. */
export function listExchangeTransactions(db: Db, input: { portfolioId: string; limit: number }) {
  return db
    .selectFrom('exchange_transactions as t')
    .leftJoin('transaction_parts as p', (join) =>
      join
        .onRef('p.connection_id', '=', 't.connection_id')
        .onRef('p.kind', '=', 't.kind')
        .onRef('p.key', '=', 't.key'),
    )
    .select(['t.kind', 't.key', 't.at', 't.asset', 't.amount', 't.quote_asset', 't.quote_amount'])
    .select(['p.part', 'p.share', 'p.role as counts as', 'p.at as counts at', 'p.portfolio_id as counts in'])
    .where('t.connection_id', '=', input.portfolioId)
    .where('t.status', '=', 'ok')
    .orderBy('t.at', 'desc')
    .orderBy('t.kind', 'desc')
    .orderBy('t.key', 'desc')
    .orderBy('p.part')
    .limit(input.limit)
    .execute()
}

/** `role` null: the role that the exchange states. */
export function labelExchange(
  db: Db,
  input: ExchangeKey & { part: number; role: LabelRole | null; now: Date },
): Promise<Refusal> {
  const { role } = input
  return correct(db, input, async (trx, row) => {
    if (role !== null && isSwap({ role }) && !row.hasTwoSides)
      return `only one coin moves in it, so it cannot be ${role}; use one of: ${ONE_SIDED.join(', ')}`
    return await change(trx, input, { role })
  })
}

/** Moves a part to another instant, another portfolio of the same account, or both. */
export function moveExchange(
  db: Db,
  input: ExchangeKey & { part: number; at?: Date | undefined; to?: string | undefined; now: Date },
): Promise<Refusal> {
  const { portfolioId, at, to } = input
  return correct(db, input, async (trx, row) => {
    const own = to === undefined || to === portfolioId ? null : await targetOf(trx, { portfolioId, id: to })
    if (typeof own === 'string') return own
    return await change(trx, input, {
      ...(at && { at: at.getTime() === row.at.getTime() ? null : at }),
      ...(to !== undefined && { portfolio_id: own && own.id }),
    })
  })
}

/** Splits `count` of its asset off into a new part, with the same share of its other amounts. */
export function splitExchange(
  db: Db,
  input: ExchangeKey & { count: string; now: Date },
): Promise<{ refusal: string } | { part: number }> {
  const { portfolioId: connection_id, kind, key, count, now } = input
  let part = 0
  return correct(db, input, async (trx, row) => {
    const { rows } = await sql<{ part: number; share: string; fits: boolean }>`
      with stated as (select coalesce(max(part), 0) + 1 as part, coalesce(sum(share), 0) as taken from transaction_parts
        where connection_id = ${connection_id} and kind = ${kind} and key = ${key}
      ), wanted as (
        select part, taken, round(${count}::numeric / ${row.amount}::numeric, 40) as share from stated
      ) select part, share, share > 0 and share + taken < 1 as fits from wanted`.execute(trx)
    const wanted = rows[0]!
    if (!wanted.fits) return `wrong sign or too much: it has ${row.amount}, and a part must remain`
    part = wanted.part
    await ensureRest(trx, input)
    await trx
      .insertInto('transaction_parts')
      .values({
        connection_id,
        kind,
        key,
        part,
        share: wanted.share,
        role: null,
        at: null,
        portfolio_id: null,
        source: 'operator',
        fetched_at: now,
      })
      .execute()
    return null
  }).then((refusal) => (refusal === null ? { part } : { refusal }))
}

/** Removes all corrections of a transaction. */
export function undoExchange(db: Db, input: ExchangeKey): Promise<Refusal> {
  return correct(db, input, async (trx) => {
    const { numDeletedRows } = await partsOf(trx, input).executeTakeFirst()
    return numDeletedRows === 0n ? 'it has no corrections' : null
  })
}

/**
 * Changes a transaction with its account locked, as a sync locks it. Old and new portfolios are recomputed.
 */
async function correct(
  db: Db,
  input: ExchangeKey,
  work: (trx: Db, row: Row) => Promise<Refusal>,
): Promise<Refusal> {
  const { portfolioId, kind, key } = input
  return await db.transaction().execute(async (trx) => {
    await sql`select from exchange_connections where id = ${portfolioId} for update`.execute(trx)
    const { rows } = await sql<Row>`
      select at, amount, coalesce(quote_amount, 0) <> 0 as "hasTwoSides" from exchange_transactions
      where connection_id = ${portfolioId} and kind = ${kind} and key = ${key} and status = 'ok'`.execute(trx)
    if (!rows[0]) return 'the account has no such transaction'
    const before = await countedIn(trx, input)
    const refusal = await work(trx, rows[0])
    await forgetEmpty(trx, input)
    if (refusal !== null) return refusal
    const after = await countedIn(trx, input)
    await order(trx, exchangeSync(portfolioId))
    for (const { id, kind: ofKind } of new Map([...before, ...after].map((one) => [one.id, one])).values())
      await order(trx, ofKind === 'manual' ? recomputePortfolio(id) : exchangeSync(id))
    return null
  })
}

/** Other portfolios in which parts of it count. */
function countedIn(db: Db, { portfolioId, kind, key }: ExchangeKey) {
  return db
    .selectFrom('transaction_parts as p')
    .innerJoin('portfolios', 'portfolios.id', 'p.portfolio_id')
    .select(['portfolios.id', 'portfolios.kind'])
    .where('p.connection_id', '=', portfolioId)
    .where('p.kind', '=', kind)
    .where('p.key', '=', key)
    .execute()
}

/** A string says why it cannot be moved there. */
async function targetOf(
  db: Db,
  { portfolioId, id }: { portfolioId: string; id: string },
): Promise<{ id: string } | string> {
  const owner = await lockPortfolio(db, { portfolioId: id })
  const found = await db
    .selectFrom('portfolios as target')
    .innerJoin('portfolios as own', 'own.account_id', 'target.account_id')
    .select('target.kind')
    .where('target.id', '=', id)
    .where('own.id', '=', portfolioId)
    .executeTakeFirst()
  if (!owner || !found) return 'the account has no such portfolio'
  return found.kind === 'wallet'
    ? 'a wallet holds only what is on its chain: nothing can be moved into it'
    : { id }
}

async function change(
  db: Db,
  input: ExchangeKey & { part: number; now: Date },
  set: { role?: LabelRole | null; at?: Date | null; portfolio_id?: string | null },
): Promise<Refusal> {
  await ensureRest(db, input)
  const { numUpdatedRows } = await db
    .updateTable('transaction_parts')
    .set({ ...set, fetched_at: input.now })
    .where('connection_id', '=', input.portfolioId)
    .where('kind', '=', input.kind)
    .where('key', '=', input.key)
    .where('part', '=', input.part)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? 'it has no such part' : null
}

/** Every corrected transaction has a part 0. */
async function ensureRest(
  db: Db,
  { portfolioId, kind, key, now }: ExchangeKey & { now: Date },
): Promise<void> {
  await db
    .insertInto('transaction_parts')
    .values({
      connection_id: portfolioId,
      kind,
      key,
      part: 0,
      share: null,
      role: null,
      at: null,
      portfolio_id: null,
      source: 'operator',
      fetched_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a single part that corrects nothing. */
async function forgetEmpty(db: Db, input: ExchangeKey): Promise<void> {
  await partsOf(db, input)
    .where('role', 'is', null)
    .where('at', 'is', null)
    .where('portfolio_id', 'is', null)
    .where((one) =>
      one.not(
        one.exists(
          one
            .selectFrom('transaction_parts as other')
            .select('part')
            .where('other.connection_id', '=', input.portfolioId)
            .where('other.kind', '=', input.kind)
            .where('other.key', '=', input.key)
            .where('other.part', '>', 0),
        ),
      ),
    )
    .execute()
}

function partsOf(db: Db, { portfolioId, kind, key }: ExchangeKey) {
  return db
    .deleteFrom('transaction_parts')
    .where('connection_id', '=', portfolioId)
    .where('kind', '=', kind)
    .where('key', '=', key)
}
