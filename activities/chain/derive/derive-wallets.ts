import type pg from 'pg'
import type { Logger } from 'pino'
import type { ColdReader } from '../../../db/chain/cold-transactions.ts'
import { dueMarks, postponeMark } from '../../../db/chain/marks.ts'
import { sqlStateOf } from '../../../db/transact.ts'
import { HOUR_MS } from '../../../db/values/periods.ts'
import { isSourceError, SourceUnavailable } from '../../errors.ts'
import { inHalves } from '../../many-items.ts'
import type { ChainNetwork } from '../networks.ts'
import { deriveBatch } from './derive-batch.ts'
import { partAt, sweepBalances } from './sweep-balances.ts'

const WALLETS_PER_BATCH = 200
/** Soon after a touched wallet the next one is likely. */
const BUSY_PAUSE_MS = 150
const BUSY_MS = 5_000
const IDLE_PAUSE_MS = 1_000
/** While the nodes of a network do not answer, the others go on. */
const REFUSED_PAUSE_MS = 10_000

export interface DeriveDeps {
  pool: pg.Pool
  networkOf: (networkId: string) => Promise<ChainNetwork>
  dailyLimit: number
  now: () => Date
  /** Absent: no exports are known here. */
  readCold?: ColdReader | undefined
  log: Logger
  signal: AbortSignal
  /** Ends early when the signal is aborted. */
  wait: (ms: number) => Promise<void>
}

export interface Lane {
  /** which of so many loops this is: each has wallets of its own */
  lane: number
  lanes: number
}

/** Derives touched wallets of networks for an hour, as they are touched. */
export async function deriveLoop(
  deps: DeriveDeps,
  { networkIds, ...lane }: Lane & { networkIds: readonly string[] },
): Promise<void> {
  const { signal, wait } = deps
  const nowMs = () => deps.now().getTime()
  const endMs = nowMs() + HOUR_MS
  const pausedUntil = new Map<string, number>()
  let derivedMs = -Infinity
  let sweptPart = partAt(nowMs())
  while (!signal.aborted && nowMs() < endMs) {
    const open = networkIds.filter((id) => (pausedUntil.get(id) ?? 0) <= nowMs())
    const part = partAt(nowMs())
    // One lane sweeps for all of them.
    if (part !== sweptPart && lane.lane === 0) await sweepNetworks(deps, { networkIds: open, part })
    sweptPart = part
    const failed = await deriveDue(deps, { networkIds: open, ...lane })
    if (failed === null) {
      const isBusy = nowMs() - derivedMs < BUSY_MS
      const pauseMs = isBusy ? BUSY_PAUSE_MS : IDLE_PAUSE_MS
      await wait(pauseMs)
      continue
    }
    derivedMs = nowMs()
    for (const { networkId, pauseMs } of failed) pausedUntil.set(networkId, nowMs() + pauseMs)
  }
}

/** A part whose source fails is left to the next sweep. */
async function sweepNetworks(
  { pool, networkOf, log }: DeriveDeps,
  { networkIds, part }: { networkIds: readonly string[]; part: number },
): Promise<void> {
  for (const networkId of networkIds)
    try {
      await sweepBalances({ pool, network: await networkOf(networkId) }, part)
    } catch (error) {
      if (!isSourceError(error)) throw error
      log.warn({ networkId, reason: error.message }, 'quiet wallets are not compared with the chain')
    }
}

/** Derives the next batch. null: nothing is due. Returns the network if its source failed, and for how long. */
export async function deriveDue(
  deps: Omit<DeriveDeps, 'signal' | 'wait'>,
  input: Lane & { networkIds: readonly string[] },
): Promise<{ networkId: string; pauseMs: number }[] | null> {
  const due = await dueMarks(deps.pool, { ...input, limit: WALLETS_PER_BATCH })
  if (due === null) return null
  const { networkId, walletIds } = due
  try {
    await deriveOrHalve({ ...deps, network: await deps.networkOf(networkId) }, walletIds)
    return []
  } catch (error) {
    if (!isSourceError(error)) throw error
    deps.log.warn({ networkId, reason: error.message }, 'touched wallets wait for the source')
    const asked = error instanceof SourceUnavailable ? error.retryAfterMs : null
    return [{ networkId, pauseMs: asked ?? REFUSED_PAUSE_MS }]
  }
}

/** Finds a wallet that fails by halving, and sets it aside alone: the others are derived. */
async function deriveOrHalve(
  deps: Omit<DeriveDeps, 'signal' | 'wait'> & { network: ChainNetwork },
  walletIds: readonly string[],
): Promise<void> {
  const networkId = deps.network.id
  await inHalves(
    walletIds,
    (some) => deriveBatch(deps, some),
    async (walletId, error) => {
      deps.log.error({ networkId, walletId, err: error }, 'a wallet cannot be derived')
      await postponeMark(deps.pool, { networkId, walletId })
    },
    isOfWallets,
  )
}

/** Classes of SQL states that rows cause: data exceptions, violated constraints, and those of functions. */
const OF_ROWS = /^(22|23|P0)/

/** Whether a part of the wallets may succeed. Neither a source nor the database itself has failed. */
function isOfWallets(error: unknown): boolean {
  if (isSourceError(error)) return false
  const code = sqlStateOf(error)
  return typeof code !== 'string' || OF_ROWS.test(code)
}
