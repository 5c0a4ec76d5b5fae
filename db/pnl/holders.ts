import { AsyncLocalStorage } from 'node:async_hooks'

/** Which portfolios: all of an account, or one of them. */
export interface PortfolioChoice {
  accountId: string
  /** null: all together */
  portfolioId: string | null
}

/** A wallet on a network, or with `all` on every network of `all` and its kind. */
export interface WalletChoice {
  address: string
  network: string
  kind: string
}

interface Entry {
  value: Promise<unknown>
  /** about the memory that it takes */
  bytes: number
}

/** What was read of the rows of some holders, by question. */
export type HolderRows = ReadonlyMap<string, Entry>

/** Of a number, a text or an instant, with its place in an object. */
const VALUE_BYTES = 64

const reading = new AsyncLocalStorage<{ known: HolderRows; used: Map<string, Entry> }>()

/**
 * Does work whose reads of holders come from `known` where it has them: what was read under the same state of their
 * rows (see figure-states.ts). Returns what this work used, for the next time.
 */
export async function withHolderRows<T>(
  known: HolderRows,
  work: () => Promise<T>,
): Promise<{ result: T; used: HolderRows }> {
  const used = new Map<string, Entry>()
  return { result: await reading.run({ known, used }, work), used }
}

/** About the memory that rows take. */
export const bytesOf = (rows: HolderRows): number =>
  [...rows.values()].reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Reads what changes with the state of holders alone, such as balances, legs, days and lots: no prices, and nothing
 * that describes a coin. Inside `withHolderRows` a question is read once, so nobody may change what it returns.
 */
export function holderRows<T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const state = reading.getStore()
  if (!state) return read()
  const { known, used } = state
  const key = JSON.stringify(question)
  const found = used.get(key) ?? known.get(key) ?? weighed(read(), key)
  used.set(key, found)
  return found.value as Promise<T>
}

/** Does work that reads the rows of now, whatever was read before. */
export const rereadHolders = <T>(work: () => Promise<T>): Promise<T> => reading.exit(work)

function weighed(reads: Promise<unknown>, key: string): Entry {
  const entry: Entry = {
    bytes: key.length,
    value: reads.then((value) => {
      entry.bytes += VALUE_BYTES * valuesIn(value)
      return value
    }),
  }
  return entry
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Date) return 1
  const parts = value instanceof Map ? [...value].flat() : Object.values(value)
  return parts.reduce<number>((sum, part) => sum + valuesIn(part), 1)
}
