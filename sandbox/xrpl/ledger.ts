import type { Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { type Act, beginOf, type Instant, playScenes } from '../scenes.ts'
import { exchange, hashOf, maker, outsiders, rlusd, xrplWallets } from './actors.ts'

const secondsPerLedger = 4
const firstLedger = 80_000_000
/** Drops that an account must keep. */
const reserve = 20_000_000n
/** Micro-units of RLUSD: no amount here has more places. */
const unit = 1_000_000n

export type Held = { drops: bigint; rlusd: bigint }
export type XrplTx = {
  hash: string
  ledger: number
  position: number
  type: string
  account: string
  destination: string | null
  fee: bigint
  result: string
  /** What each account held before and after; the sender's without the fee before and with it after. */
  changes: { account: string; before: Held; after: Held }[]
}

/** The validated ledgers of two years, and a while after them. */
export type XrplChain = ReturnType<typeof createXrplChain>
export function createXrplChain({ market }: { market: Market }) {
  const start = beginOf(market)
  const ledgerAt = (at: number): number => firstLedger + Math.floor((at - start) / secondsPerLedger)
  const txs = plan(market, ledgerAt)
  const validated = (now: number): number => ledgerAt(now) - 1
  return {
    firstLedger,
    validated,
    /** Unix seconds. */
    closedAt: (ledger: number): number => start + (ledger - firstLedger) * secondsPerLedger,
    of: (account: string, until: number): XrplTx[] =>
      txs.filter(({ ledger, changes }) => ledger <= until && changes.some((one) => one.account === account)),
    /** null: the account does not exist yet */
    held(account: string, ledger: number): Held | null {
      const last = txs.findLast(
        (tx) => tx.ledger <= ledger && tx.changes.some((one) => one.account === account),
      )
      return last?.changes.find((one) => one.account === account)?.after ?? null
    },
  }
}

type Scene = {
  random: Random
  wallet: string
  heldBy: (account: string) => Held
  dropsOf: (usd: number) => bigint
  submit: (
    tx: Pick<XrplTx, 'type' | 'account'> & Partial<XrplTx>,
    moves: Record<string, Partial<Held>>,
  ) => void
}

function plan(market: Market, ledgerAt: (at: number) => number): XrplTx[] {
  const txs: XrplTx[] = []
  const tracked = new Set(xrplWallets.map(({ address }) => address))
  const state = new Map<string, Held>()
  const heldBy = (account: string): Held =>
    state.get(account) ??
    (tracked.has(account) ? { drops: 0n, rlusd: 0n } : { drops: 10n ** 16n, rlusd: 10n ** 15n })
  const sceneAt = ({ at, wallet, random }: Instant): Scene => {
    const submit: Scene['submit'] = (tx, moves) => {
      const { account, fee = 12n } = tx
      const all: typeof moves = { [account]: {}, ...moves }
      const changes = Object.entries(all).map(([one, { drops = 0n, rlusd: units = 0n }]) => {
        const before = heldBy(one)
        const burnt = one === account ? fee : 0n
        const after = { drops: before.drops + drops - burnt, rlusd: before.rlusd + units }
        state.set(one, after)
        return { account: one, before, after }
      })
      const ledger = Math.max(ledgerAt(at), (txs.at(-1)?.ledger ?? 0) + 1)
      const hash = hashOf(`xrpl ${txs.length} ${account}`)
      txs.push({ hash, ledger, position: 0, destination: null, result: 'tesSUCCESS', ...tx, fee, changes })
    }
    const dropsOf = (usd: number) => BigInt(Math.round((usd / market.priceUsd('ripple', at)!) * 1e6))
    return { random, wallet, heldBy, dropsOf, submit }
  }
  playScenes({ market, name: 'xrpl', everyDays: 4, wallets: xrplWallets, acts, usual: receive, sceneAt })
  return txs
}

const acts: Act<Scene>[] = [
  [receive, 14],
  [receiveToken, 12],
  [send, 9],
  [sendToken, 8],
  [buyToken, 7],
  [sellToken, 7],
  [fail, 4],
  [trust, 3],
]

const spendable = ({ heldBy, wallet }: Scene): bigint => heldBy(wallet).drops - reserve

function receive({ random, wallet, dropsOf, submit }: Scene): boolean {
  const drops = dropsOf(random.size(50, 4_000)) + reserve
  submit(
    { type: 'Payment', account: exchange, destination: wallet },
    { [exchange]: { drops: -drops }, [wallet]: { drops } },
  )
  return true
}

function receiveToken(scene: Scene): boolean {
  const { random, wallet, submit } = scene
  if (spendable(scene) < 0n) return false
  const units = BigInt(Math.round(random.size(20, 2_000) * Number(unit)))
  const account = random.pick(outsiders)
  submit(
    { type: 'Payment', account, destination: wallet },
    { [account]: { rlusd: -units }, [wallet]: { rlusd: units } },
  )
  return true
}

function send(scene: Scene): boolean {
  const { random, wallet, submit } = scene
  const drops = spendable(scene) / 3n
  if (drops < 1_000_000n) return false
  const destination = random.pick(outsiders)
  submit(
    { type: 'Payment', account: wallet, destination },
    { [wallet]: { drops: -drops }, [destination]: { drops } },
  )
  return true
}

function sendToken(scene: Scene): boolean {
  const { random, wallet, heldBy, submit } = scene
  const units = heldBy(wallet).rlusd / 3n
  if (units < unit || spendable(scene) < 1_000n) return false
  const destination = random.pick(outsiders)
  const moves = { [wallet]: { rlusd: -units }, [destination]: { rlusd: units } }
  submit({ type: 'Payment', account: wallet, destination, fee: 15n }, moves)
  return true
}

/** Takes an offer of a market maker. */
function buyToken(scene: Scene): boolean {
  const { random, wallet, dropsOf, submit } = scene
  const usd = random.size(30, 800)
  const drops = dropsOf(usd)
  if (drops > spendable(scene)) return false
  const units = BigInt(Math.round(usd * 0.998 * Number(unit)))
  const moves = { [wallet]: { drops: -drops, rlusd: units }, [maker]: { drops, rlusd: -units } }
  submit({ type: 'OfferCreate', account: wallet }, moves)
  return true
}

function sellToken(scene: Scene): boolean {
  const { random, wallet, heldBy, dropsOf, submit } = scene
  const usd = random.size(30, 800)
  const units = BigInt(Math.round(usd * Number(unit)))
  if (units > heldBy(wallet).rlusd || spendable(scene) < 1_000n) return false
  const drops = dropsOf(usd * 0.998)
  const moves = { [wallet]: { drops, rlusd: -units }, [maker]: { drops: -drops, rlusd: units } }
  submit({ type: 'OfferCreate', account: wallet }, moves)
  return true
}

function fail(scene: Scene): boolean {
  if (spendable(scene) < 1_000n) return false
  const { wallet, random, submit } = scene
  submit({ type: 'Payment', account: wallet, destination: random.pick(outsiders), result: 'tecPATH_DRY' }, {})
  return true
}

function trust(scene: Scene): boolean {
  if (spendable(scene) < 1_000n) return false
  scene.submit({ type: 'TrustSet', account: scene.wallet, destination: rlusd.issuer }, {})
  return true
}
