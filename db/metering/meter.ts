import type pg from 'pg'
import type { AlertWrite } from '../events/alert-write.ts'
import type { WebhookWrite } from '../events/webhook-write.ts'
import type { PortfolioWrite } from '../portfolios/portfolio-write.ts'
import { DEADLOCK, sqlStateOf } from '../transact.ts'

/** State of an account at the time of a request. Credits are numbers: none exceeds 2^53. */
export interface Admission {
  accountId: string
  plan: string
  paid: boolean
  requestsPerSecond: number
  /** How many of the requests may pass. */
  allowed: number
  requestsLeft: number
  /** Seconds until the whole burst is available. */
  fullInS: number
  /** Milliseconds until one more request may pass. */
  nextInMs: number
  balance: Balance
}

/** Credits of the current period. */
export interface Balance {
  granted: number
  available: number
  periodEndsInS: number
}

export interface Charge {
  requestId: string
  accountId: string
  credits: number
  endpoint: string
  /** The input that multiplied the price; null for a fixed price. */
  priceInput: string | null
}

export interface ChargeResult {
  paid: boolean
  balance: Balance
}

/** An idempotency key with a digest of all parameters of the write. */
export interface Idempotency {
  key: string
  fingerprint: Buffer
}

/** A workflow to start. With `signal`, one that runs already gets the signal. */
export interface Command {
  workflow: string
  workflowId: string
  input: unknown
  signal?: string
  /** W3C trace context of the request. */
  traceparent?: string
}

/** A write of the API that commits with its charge. */
export type Write = PortfolioWrite | WebhookWrite | AlertWrite

export interface WriteCharge extends Charge {
  commands: readonly Command[]
  writes: readonly Write[]
  idempotency: Idempotency | null
  body: string
}

export interface WriteResult extends ChargeResult {
  /** Body of the first answer to this idempotency key; null: the write is new. */
  replayedBody: string | null
  /** True: this idempotency key was used with other parameters. */
  mismatch: boolean
}

/** A key that is neither revoked nor expired. */
export interface StoredKey {
  accountId: string
  storedHash: Buffer
  readOnly: boolean
  /** Allowed tags and endpoints of the route table; null: all. */
  opens: readonly string[] | null
}

/** The data that a write was based on has changed. Nothing was written or charged. */
export class WriteConflict extends Error {}

/** The metering functions of the database. Role `meter` may use nothing else. */
export interface Meter {
  authenticate: (keyHash: Buffer) => Promise<StoredKey | null>
  /** Account id of an identity at an OpenID provider; null: not linked. */
  identify: (identity: { issuer: string; subject: string }) => Promise<string | null>
  /** The account that an agent reads for a user; null: no account, or the user ended the agent. */
  admitAgent: (agent: { issuer: string; subject: string; clientId: string }) => Promise<string | null>
  /** One statement for the requests of any number of accounts. Returns one result by account id. */
  admit: (requests: ReadonlyMap<string, number>) => Promise<Map<string, Admission>>
  /** One transaction for all charges, which are durable then. Returns the results in the same order. */
  charge: (charges: readonly Charge[]) => Promise<ChargeResult[]>
  /** Charges and refunds `refund` in the same transaction, for the part that failed by our fault. */
  chargeInPart: (charge: Charge & { refund: number }) => Promise<ChargeResult>
  /** Charge, commands and writes in one transaction. Throws WriteConflict. */
  chargeWrite: (charge: WriteCharge) => Promise<WriteResult>
  /** The first answer to an idempotency key of the account; null: the key is new. */
  replay: (
    key: Idempotency & { accountId: string },
  ) => Promise<Pick<WriteResult, 'replayedBody' | 'mismatch'> | null>
}

/** SQLSTATE that `apply_portfolio_writes`, `apply_webhook_writes` and `apply_alert_writes` raise. */
const CONFLICT = 'SL001'

/**
 * Runs a statement, and once more after a deadlock. All statements lock accounts in one order, but one that
 * finds its period closed meanwhile locks the next period late.
 */
async function run<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  return pool.query<Row>(statement).catch((error: unknown) => {
    if (sqlStateOf(error) !== DEADLOCK) throw error
    return pool.query<Row>(statement)
  })
}

/** Credits are bigint: text, and numbers in JSON. */
interface BalanceRow {
  granted: string | number
  available: string | number
  period_ends_in_s: number
}

interface AdmissionRow extends BalanceRow {
  account_id: string
  plan: string
  paid: boolean
  requests_per_second: number
  allowed: number
  requests_left: number
  full_in_us: string
  next_in_us: string
}

const toBalance = (row: BalanceRow): Balance => ({
  granted: Number(row.granted),
  available: Number(row.available),
  periodEndsInS: row.period_ends_in_s,
})

/**
 * `admission` and `charging` are separate pools, so that neither waits for the other. One connection each is
 * enough, because each caller keeps one statement in flight.
 */
export function createMeter(pools: { admission: pg.Pool; charging: pg.Pool }): Meter {
  const { admission, charging } = pools
  return {
    async authenticate(keyHash) {
      const { rows } = await admission.query<StoredKey>({
        name: 'authenticate',
        text: `select account_id as "accountId", stored_hash as "storedHash", read_only as "readOnly", opens
          from authenticate($1)`,
        values: [keyHash],
      })
      return rows[0] ?? null
    },

    async identify({ issuer, subject }) {
      const { rows } = await admission.query<{ account_id: string | null }>({
        name: 'identify',
        text: 'select identify($1, $2) as account_id',
        values: [issuer, subject],
      })
      return rows[0]!.account_id
    },

    async admitAgent({ issuer, subject, clientId }) {
      const { rows } = await admission.query<{ account_id: string | null }>({
        name: 'admit_agent',
        text: 'select admit_agent($1, $2, $3) as account_id',
        values: [issuer, subject, clientId],
      })
      return rows[0]!.account_id
    },

    async admit(requests) {
      const { rows } = await run<AdmissionRow>(admission, {
        name: 'admit',
        text: 'select * from admit($1, $2)',
        values: [[...requests.keys()], [...requests.values()]],
      })
      return new Map(rows.map((row) => [row.account_id, toAdmission(row)]))
    },

    async charge(charges) {
      const { rows } = await run<{ charged: (BalanceRow & { account_id: string; refused: number[] })[] }>(
        charging,
        {
          name: 'charge',
          text: 'call charge($1, $2, $3, $4, $5, null)',
          values: [
            charges.map(({ requestId }) => requestId),
            charges.map(({ accountId }) => accountId),
            charges.map(({ credits }) => credits),
            charges.map(({ endpoint }) => endpoint),
            charges.map(({ priceInput }) => priceInput),
          ],
        },
      )
      const { charged } = rows[0]!
      const balances = new Map(charged.map((row) => [row.account_id, toBalance(row)]))
      const refused = new Set(charged.flatMap((row) => row.refused))
      return charges.map(({ accountId }, index) => {
        const balance = balances.get(accountId)
        if (!balance) throw new Error('the account of a charge does not exist')
        return { paid: !refused.has(index + 1), balance }
      })
    },

    async chargeInPart({ requestId, accountId, credits, endpoint, priceInput, refund }) {
      const { rows } = await run<BalanceRow & { refused: boolean }>(charging, {
        name: 'charge_in_part',
        text: 'select * from charge_in_part($1, $2, $3, $4, $5, $6)',
        values: [requestId, accountId, credits, endpoint, priceInput, refund],
      })
      const row = rows[0]
      if (!row) throw new Error('the account of a charge does not exist')
      return { paid: !row.refused, balance: toBalance(row) }
    },

    async chargeWrite(charge) {
      const work = run<BalanceRow & { refused: boolean; replayed_body: string | null; mismatch: boolean }>(
        charging,
        {
          name: 'charge_write',
          text: 'select * from charge_write($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
          values: [
            charge.requestId,
            charge.accountId,
            charge.credits,
            charge.endpoint,
            charge.priceInput,
            JSON.stringify(charge.commands),
            charge.idempotency?.key ?? null,
            charge.idempotency?.fingerprint ?? null,
            charge.body,
            JSON.stringify(charge.writes),
          ],
        },
      )
      const { rows } = await work.catch((error: unknown) => {
        throw sqlStateOf(error) === CONFLICT ? new WriteConflict() : error
      })
      const row = rows[0]
      if (!row) throw new Error('the account of a charge does not exist')
      return {
        paid: !row.refused,
        balance: toBalance(row),
        replayedBody: row.replayed_body,
        mismatch: row.mismatch,
      }
    },

    async replay({ accountId, key, fingerprint }) {
      const { rows } = await charging.query<{ replayed_body: string | null; mismatch: boolean }>({
        name: 'replay_write',
        text: 'select * from replay_write($1, $2, $3)',
        values: [accountId, key, fingerprint],
      })
      const row = rows[0]
      return row ? { replayedBody: row.replayed_body, mismatch: row.mismatch } : null
    },
  }
}

function toAdmission(row: AdmissionRow): Admission {
  return {
    accountId: row.account_id,
    plan: row.plan,
    paid: row.paid,
    requestsPerSecond: row.requests_per_second,
    allowed: row.allowed,
    requestsLeft: row.requests_left,
    fullInS: Math.ceil(Number(row.full_in_us) / 1e6),
    nextInMs: Number(row.next_in_us) / 1e3,
    balance: toBalance(row),
  }
}
