import { SourceRejected } from '../errors.ts'
import type { Refusal } from './rpc-refusal.ts'

// What readers of chains ask of the nodes of a network. rpc-client.ts does it.

export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** One answer of a batch. An error of one call does not fail the others. */
export type RpcAnswer = { result: unknown } | { error: Error }

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
