import { untilMidnight } from '../allowance.ts'
import { isSourceError, SourceRejected, SourceUnavailable } from '../errors.ts'
import type { NodeBudgets } from '../ingest-config.ts'
import type { SourceOrders } from '../source-orders.ts'
import type { UsageCounts } from '../usage-counts.ts'
import { createRpcClient } from './rpc-client.ts'
import type { NodeWork, Refusal, RpcAnswer, RpcCall, RpcClient } from './rpc.ts'
import { refusalOf } from './rpc.ts'
import { createNodeBudget } from './node-budget.ts'
import type { NodeBudget } from './node-budget.ts'
import { limitsOf, nodeSource, planOf } from './node-plans.ts'
import type { NodeNotes } from './node-notes.ts'
import type { NodePlan } from './node-plans.ts'
import type { RateOf } from './node-rate.ts'
import { headIn, oldestBlock } from './oldest-block.ts'

/** One node of a pool, with what its answers and refusals have shown. */
export interface PoolNode {
  /** host, without the key */
  name: string
  plan: NodePlan
  /** What it accepts, as learnt from its answers. */
  accepts: Pick<RpcClient, 'logRange' | 'batchCalls'>
  budget: NodeBudget
  /** Sends calls and remembers what the answers show. Throws as RpcClient does. */
  send: (share: NodeWork, calls: readonly RpcCall[]) => Promise<RpcAnswer[]>
  /** The refusal by which the node lacks what these calls need; null: it may have it. */
  lacks: (calls: readonly RpcCall[]) => Error | null
  /** Why it must not be asked at all, and until when; null: it may. */
  off: () => { reason: string; untilMs: number } | null
  /** It failed or lags: others come first. */
  isPassedOver: () => boolean
  /** number of the newest block that it has named; null: none */
  head: () => number | null
  passOver: (ms: number) => void
}

/** A key, quota or method that the node has after all is found this late. */
const RECHECK_MS = 3_600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000
/** After this time a node that an operator has paused is asked for again. */
const HELD_MS = 60_000

/** Refusals that another node may not make. The others are about the size of what was asked. */
const OF_THE_NODE = new Set<Refusal['kind']>(['method', 'archive', 'quota', 'key', 'lag', 'rate'])

export const isRefusedByNode = (answer: RpcAnswer): boolean => {
  const refusal = 'error' in answer ? refusalOf(answer.error) : null
  return refusal !== null && OF_THE_NODE.has(refusal.kind)
}

/**
 * What operators see as a failure of the node. A call that reverts, or is too large or too old for it, has an answer.
 */
const isFailure = (error: unknown): boolean =>
  error instanceof SourceUnavailable || refusalOf(error)?.kind === 'key'

/** The call that a refusal of the whole request is about: the one that needs the oldest block, or the only one. */
function refusedOf(calls: readonly RpcCall[]): RpcCall {
  const blocks = calls.map((call) => oldestBlock(call) ?? Infinity)
  const oldest = Math.min(...blocks)
  const isOneMethod = calls.every(({ method }) => method === calls[0]!.method)
  const unknown = { method: 'batch', params: [] }
  return oldest === Infinity && !isOneMethod ? unknown : calls[blocks.indexOf(oldest)]!
}

export function createPoolNode(options: {
  url: string
  source: string
  networkId: string
  chainId: number
  budgets: NodeBudgets
  usage: UsageCounts
  orders: SourceOrders | undefined
  rateOf: RateOf
  now: () => Date
  pause: (ms: number) => Promise<void>
  notes: NodeNotes
}): PoolNode {
  const { url, source, networkId, chainId, budgets, usage, orders, rateOf, now, pause, notes } = options
  const name = new URL(url).host
  const asSource = nodeSource(networkId, url)
  const plan = planOf(url, budgets)
  const rate = rateOf(plan.account, limitsOf(url, plan))
  const client = createRpcClient({ url, source, pause, rate })
  const ordered = () => orders?.of(asSource)
  const budget = createNodeBudget({ plan, source, usage, ordered: () => ordered()?.quota, now })
  const missing = new Map<string, { error: Error; untilMs: number }>()
  let archive: { below: number; error: Error } | null = null
  let off: { reason: string; untilMs: number } | null = null
  let passedOverUntil = 0
  let failures = 0
  let newest: number | null = null
  let checked: Promise<void> | null = null

  const passOver = (ms: number) => {
    passedOverUntil = Math.max(passedOverUntil, now().getTime() + ms)
  }
  const turnOff = (reason: string, ms = RECHECK_MS) => {
    off = { reason, untilMs: now().getTime() + ms }
    checked = null
  }

  function note(call: RpcCall, answer: RpcAnswer): void {
    if ('result' in answer) {
      newest = headIn(call, answer.result) ?? newest
      return
    }
    const { error } = answer
    switch (refusalOf(error)?.kind) {
      case 'method':
        missing.set(call.method, { error, untilMs: now().getTime() + RECHECK_MS })
        break
      case 'archive': {
        const block = oldestBlock(call)
        if (block !== null) archive = { below: Math.max(block + 1, archive?.below ?? 0), error }
        break
      }
      case 'quota':
        turnOff('its allowance is spent', Math.min(RECHECK_MS, untilMidnight(now())))
        break
      case 'key':
        turnOff('it refuses the key')
        break
      case 'lag':
      case 'rate':
        passOver(FIRST_PAUSE_MS)
        break
      default:
    }
  }

  function report(calls: readonly RpcCall[], errors: readonly Error[]): void {
    const failure = errors.at(-1)?.message ?? null
    notes.note({ source: asSource, calls: calls.length, failures: errors.length, failure })
  }

  /** A node of another network would mix two chains in one database. */
  async function checkChain(share: NodeWork): Promise<void> {
    const call = { method: 'eth_chainId', params: [] }
    budget.count(share, [call])
    const [answer] = await client.send([call])
    if (answer && 'error' in answer) {
      note(call, answer)
      if (refusalOf(answer.error)?.kind !== 'method') throw answer.error
    }
    const given = answer && 'result' in answer ? Number(answer.result) : chainId
    if (given === chainId) return
    const reason = `it serves chain ${given}, not ${chainId}`
    turnOff(reason)
    throw new SourceRejected(source, `${name}: ${reason}`)
  }

  async function send(share: NodeWork, calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    try {
      checked ??= checkChain(share)
      await checked
      budget.count(share, calls)
      const answers = await client.send(calls)
      calls.forEach((call, i) => note(call, answers[i]!))
      report(
        calls,
        answers.flatMap((answer) => ('error' in answer && isFailure(answer.error) ? [answer.error] : [])),
      )
      failures = 0
      return answers
    } catch (error) {
      if (!isSourceError(error)) throw error
      report(calls, isFailure(error) || refusalOf(error) === null ? calls.map(() => error) : [])
      checked = null
      if (refusalOf(error)) note(refusedOf(calls), { error })
      else passOver(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++))
      throw error
    }
  }

  return {
    name,
    plan,
    accepts: client,
    budget,
    send,
    lacks(calls) {
      for (const call of calls) {
        const refusal = missing.get(call.method)
        if (refusal && refusal.untilMs > now().getTime()) return refusal.error
        if (archive && (oldestBlock(call) ?? Infinity) < archive.below) return archive.error
      }
      return null
    },
    off() {
      const atMs = now().getTime()
      if (ordered()?.isPaused) return { reason: 'an operator has paused it', untilMs: atMs + HELD_MS }
      return off && off.untilMs > atMs ? off : null
    },
    isPassedOver: () => passedOverUntil > now().getTime(),
    head: () => newest,
    passOver,
  }
}
