import { hashOf, hexOf, nobody, type TronToken, wrappedTrx } from './actors.ts'

/** Topics of events, as keccak hashes of their signatures. */
const topics = {
  transfer: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  approval: '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  deposit: 'e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const

export type TronEvent = {
  name: keyof typeof topics
  token: TronToken
  from: string
  to: string
  value: bigint
}

/** Amounts in sun, or in base units of a token. */
export type TronTx = {
  hash: string
  at: number
  type: string
  owner: string
  /** Receiver of a payment, or the called contract. */
  to: string | null
  /** Sent with it. */
  value: bigint
  /** Call data. */
  data: string
  /** A failed call moves nothing but the fee. */
  failed: boolean
  fee: bigint
  internals: { from: string; to: string; value: bigint }[]
  events: TronEvent[]
  /** Staking rewards paid out. */
  reward: bigint
  /** Taken from the spendable balance and kept by the owner; negative: given back. */
  frozen: bigint
}

export type Draft = Pick<TronTx, 'at' | 'type' | 'owner'> & Partial<TronTx>

export function createTx(draft: Draft, position: number): TronTx {
  return {
    hash: hashOf(`tron ${position} ${draft.at} ${draft.owner}`),
    to: null,
    value: 0n,
    data: '',
    failed: false,
    fee: 0n,
    internals: [],
    events: [],
    reward: 0n,
    frozen: 0n,
    ...draft,
  }
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const topicOf = (address: string): string => hexOf(address).padStart(64, '0')

/** An event as a node logs it. Deposits and withdrawals name one party. */
export function logOf({ name, token, from, to, value }: TronEvent) {
  const parties = name === 'deposit' ? [to] : name === 'withdrawal' ? [from] : [from, to]
  return {
    address: hexOf(token.address),
    topics: [topics[name], ...parties.map(topicOf)],
    data: word(value),
  }
}

export interface Held {
  /** Spendable sun. */
  trx: bigint
  frozen: bigint
  tokens: Map<string, bigint>
}

/** What an account holds after some transactions. */
export function heldBy(address: string, txs: readonly TronTx[]): Held {
  const held: Held = { trx: 0n, frozen: 0n, tokens: new Map() }
  const move = (from: string, to: string, value: bigint) => {
    if (from === address) held.trx -= value
    if (to === address) held.trx += value
  }
  for (const tx of txs) {
    if (tx.owner === address) held.trx -= tx.fee
    if (tx.failed) continue
    if (tx.to !== null) move(tx.owner, tx.to, tx.value)
    for (const { from, to, value } of tx.internals) move(from, to, value)
    if (tx.owner === address) {
      held.trx += tx.reward - tx.frozen
      held.frozen += tx.frozen
    }
    for (const { name, token, from, to, value } of tx.events) {
      if (name === 'approval') continue
      const sign = BigInt(Number(to === address)) - BigInt(Number(from === address))
      held.tokens.set(token.address, (held.tokens.get(token.address) ?? 0n) + sign * value)
    }
  }
  return held
}

/** Whether a transaction names an account anywhere. */
export const names = (tx: TronTx, address: string): boolean =>
  tx.owner === address ||
  tx.to === address ||
  [...tx.internals, ...tx.events].some(({ from, to }) => from === address || to === address)

export const deposit = (to: string, value: bigint): TronEvent => ({
  name: 'deposit',
  token: wrappedTrx,
  from: nobody,
  to,
  value,
})
export const withdrawal = (from: string, value: bigint): TronEvent => ({
  name: 'withdrawal',
  token: wrappedTrx,
  from,
  to: nobody,
  value,
})
