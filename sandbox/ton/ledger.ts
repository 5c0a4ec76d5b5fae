import type { Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { beginOf, type Instant, playScenes } from '../scenes.ts'
import { hashOf, type Jetton, tonWallets } from './actors.ts'
import { acts, receive } from './acts.ts'

/** Seconds. */
const perBlock = 5
const firstBlock = 30_000_000
/** Logical time of a second. */
const ltPerSecond = 1_000_000n

export type Message = { hash: string; from: string | null; to: string; value: bigint; bounced: boolean }
export type TonTx = {
  account: string
  hash: string
  lt: bigint
  now: number
  block: number
  trace: string
  aborted: boolean
  /** Of storage and of the contract's run, without what forwarding costs. */
  fees: bigint
  in: Message
  out: Message[]
}
export type JettonMove = {
  kind: 'transfer' | 'burn'
  jetton: Jetton
  from: string
  /** null: burned. */
  to: string | null
  amount: bigint
  hash: string
  lt: bigint
  now: number
  trace: string
  /** its wallet contract refused it: nothing moved */
  aborted: boolean
}

/** What a message pays for its way, beside what its sender's transaction pays. */
export const forwardFee = 266_669n
const usualFees = 2_100_000n

/** One message after the other of a trace, some seconds apart. */
export type Trace = {
  /** A message from outside to a wallet, which sends others. Returns these. */
  begin: (account: string, sends?: [to: string, value: bigint][]) => Message[]
  /** The transaction in which an account takes a message, and sends others. */
  take: (
    message: Message,
    options?: { sends?: [string, bigint][]; aborted?: boolean; fees?: bigint },
  ) => Message[]
  /** What the wallet contract of a jetton does in the transaction of a message. */
  move: (
    kind: JettonMove['kind'],
    facts: { jetton: Jetton; from: string; to: string | null; amount: bigint },
  ) => void
}

/** The blocks of two years, and a while after them. */
export type TonChain = ReturnType<typeof createTonChain>
export function createTonChain({ market }: { market: Market }) {
  const start = beginOf(market)
  const blockAt = (at: number): number => firstBlock + Math.floor((at - start) / perBlock)
  const { txs, moves } = plan(market, blockAt)
  const byAccount = Map.groupBy(txs, ({ account }) => account)
  const byHash = new Map(txs.map((tx) => [tx.hash, tx]))
  return {
    newest: blockAt,
    timeOf: (block: number): number => start + (block - firstBlock) * perBlock,
    tx: (hash: string): TonTx | undefined => byHash.get(hash),
    of: (account: string): TonTx[] => byAccount.get(account) ?? [],
    /** What was sent to and from an owner, or burned. */
    movesOf: (owner: string): JettonMove[] => moves.filter(({ from, to }) => from === owner || to === owner),
    /** Nanotons, up to a second. */
    native: (account: string, at: number): bigint =>
      (byAccount.get(account) ?? []).reduce((sum, tx) => (tx.now <= at ? sum + deltaOf(tx) : sum), 0n),
    /** By master, up to a second. */
    held(owner: string, at: number): Map<string, bigint> {
      const held = new Map<string, bigint>()
      for (const { jetton, from, to, amount, now, aborted } of moves) {
        if (now > at || aborted) continue
        const delta = (to === owner ? amount : 0n) - (from === owner ? amount : 0n)
        if (delta !== 0n) held.set(jetton.master, (held.get(jetton.master) ?? 0n) + delta)
      }
      return held
    },
  }
}

const deltaOf = ({ in: { from, value }, out, fees }: TonTx): bigint =>
  out.reduce((sum, one) => sum - one.value - forwardFee, (from === null ? 0n : value) - fees)

export type Scene = {
  random: Random
  wallet: string
  trace: Trace
  native: () => bigint
  held: (jetton: Jetton) => bigint
  tonOf: (usd: number) => bigint
}

function plan(market: Market, blockAt: (at: number) => number): { txs: TonTx[]; moves: JettonMove[] } {
  const [txs, moves]: [TonTx[], JettonMove[]] = [[], []]
  const nanotons = new Map<string, bigint>()
  const held = new Map<string, bigint>()
  let scenes = 0
  const sceneAt = ({ at, wallet, random }: Instant): Scene => {
    const i = scenes++
    const begin = Math.max(at, (txs.at(-1)?.now ?? 0) + 60)
    const root = hashOf(`ton trace ${i}`)
    let count = 0
    const run = (account: string, taken: Message, options: Parameters<Trace['take']>[1] = {}): Message[] => {
      const { sends = [], aborted = false, fees = usualFees } = options
      const now = begin + count * perBlock
      const hash = count === 0 ? root : hashOf(`ton tx ${i} ${count}`)
      const out = sends.map(([receiver, value], k): Message => ({
        hash: hashOf(`ton message ${i} ${count} ${k}`),
        from: account,
        to: receiver,
        value,
        bounced: aborted,
      }))
      count++
      const lt = BigInt(now) * ltPerSecond + BigInt(count)
      const tx = {
        account,
        hash,
        lt,
        now,
        block: blockAt(now) + 1,
        trace: root,
        aborted,
        fees,
        in: taken,
        out,
      }
      txs.push(tx)
      nanotons.set(account, (nanotons.get(account) ?? 0n) + deltaOf(tx))
      return out
    }
    const trace: Trace = {
      begin: (account, sends = []) =>
        run(
          account,
          { hash: hashOf(`ton outside ${i}`), from: null, to: account, value: 0n, bounced: false },
          { sends },
        ),
      take: (message, options) => run(message.to, message, options),
      move(kind, facts) {
        const { hash, lt, now, aborted } = txs.at(-1)!
        moves.push({ kind, ...facts, hash, lt, now, trace: root, aborted })
        if (aborted) return
        for (const [owner, delta] of [
          [facts.from, -facts.amount],
          [facts.to, facts.amount],
        ] as const) {
          const key = `${owner} ${facts.jetton.master}`
          held.set(key, (held.get(key) ?? 0n) + delta)
        }
      },
    }
    return {
      random,
      wallet,
      trace,
      native: () => nanotons.get(wallet) ?? 0n,
      held: ({ master }) => held.get(`${wallet} ${master}`) ?? 0n,
      tonOf: (usd) => BigInt(Math.round((usd / market.priceUsd('the-open-network', begin)!) * 1e9)),
    }
  }
  const wallets = tonWallets.map(({ account, weight }) => ({ address: account, weight }))
  playScenes({ market, name: 'ton', everyDays: 4, wallets, acts, usual: receive, sceneAt })
  return { txs, moves }
}
