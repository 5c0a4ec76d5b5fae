import { SourceRejected, SourceUnavailable } from '../errors.ts'

// What readers of chains ask of the nodes of a network. rpc-client.ts does it.

export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** One answer of a batch. An error of one call does not fail the others. */
export type RpcAnswer = { result: unknown } | { error: Error }

/** A number as nodes take it. */
export const hexOf = (number: number): string => `0x${number.toString(16)}`

/** A balance that is wanted. */
export interface AskedBalance {
  account: string
  /** contract; null: the native coins */
  token: string | null
}

/** A JSON-RPC node. `batch` and `call` throw SourceUnavailable, SourceRejected or ResponseTooLarge. */
export interface RpcClient {
  source: string
  send: (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>
  batch: (calls: readonly RpcCall[]) => Promise<unknown[]>
  call: (method: string, ...params: unknown[]) => Promise<unknown>
  /** Ranges of logs that the node accepts. */
  readonly logRange: LogRange
  /** Calls in one batch that the node accepts. */
  readonly batchCalls: number
  /** False: this work uses its share of the budget faster than the day passes, so what can wait should. */
  readonly isOnPace: boolean
}

/** What calls are for: following the head, the balances and rows of wallets, or their history. */
export type NodeWork = 'heads' | 'wallets' | 'history'

/**
 * A client of the nodes of a network, which counts against the share of its work. Throws SourceRejected where
 * the network is off.
 */
export type NodeClients = (networkId: string, work: NodeWork) => Promise<RpcClient>

/** Blocks in one range of logs that a node accepts, learnt from what it accepts and refuses. */
export interface LogRange {
  blocks: () => number
  accepted: (blocks: number) => void
  refused: (blocks: number, refusal: Refusal) => void
}

/** The answer to one call is too large: request a smaller range. */
export class ResponseTooLarge extends SourceRejected {}

/** Why a node refused a call, as far as its text and codes say. */
export type Refusal =
  /** The plan allows fewer blocks in one range. null: the text names no number. */
  | { kind: 'range'; blocks: number | null }
  /** The answer to this filter is too big. `blocks`: what the node suggests. */
  | { kind: 'result'; blocks: number | null }
  | { kind: 'batch'; calls: number | null }
  /** The node does not have, or does not give, blocks that old. */
  | { kind: 'archive' }
  /** The node does not have the newest blocks yet. */
  | { kind: 'lag' }
  | { kind: 'method' }
  /** Too many requests at the moment. */
  | { kind: 'rate' }
  /** The allowance of a day or month is spent. */
  | { kind: 'quota' }
  | { kind: 'key' }
  /** The node gave up: ask for less. */
  | { kind: 'slow' }

/** Refusals after which the same call may pass later, at the same node. */
const LATER = new Set<Refusal['kind']>(['rate', 'quota', 'lag', 'slow'])

class NodeUnavailable extends SourceUnavailable {
  readonly refusal: Refusal

  constructor(source: string, reason: string, { refusal, retryAfterMs }: RefusalDetails) {
    super(source, reason, retryAfterMs ?? null)
    this.refusal = refusal
  }
}

class NodeRejected extends SourceRejected {
  readonly refusal: Refusal

  constructor(source: string, reason: string, { refusal }: RefusalDetails) {
    super(source, reason)
    this.refusal = refusal
  }
}

interface RefusalDetails {
  refusal: Refusal
  retryAfterMs?: number | null
}

export function refusalError(source: string, reason: string, details: RefusalDetails): Error {
  const Kind = LATER.has(details.refusal.kind) ? NodeUnavailable : NodeRejected
  return new Kind(source, reason, details)
}

/** Why the node refused; null: it did not, or did not say. */
export function refusalOf(error: unknown): Refusal | null {
  return error instanceof NodeUnavailable || error instanceof NodeRejected ? error.refusal : null
}
