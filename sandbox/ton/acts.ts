import { exchange, jettonWalletOf, outsiders, pool, spammer, usdt, voucher } from './actors.ts'
import type { Act } from '../scenes.ts'
import type { Scene } from './ledger.ts'

/** What a wallet keeps for fees. */
const reserve = 500_000_000n
/** What a wallet sends with the order to move a jetton, and what comes back of it. */
const order = 50_000_000n
const excess = 31_000_000n
/** What comes with the notice of a jetton. */
const notice = 1n

export const acts: Act<Scene>[] = [
  [receive, 14],
  [receiveJetton, 10],
  [receiveQuietly, 3],
  [send, 9],
  [sendJetton, 7],
  [buyJetton, 8],
  [sellJetton, 7],
  [burn, 3],
  [callOnly, 3],
  [bounce, 4],
  [airdrop, 2],
]

const usdtOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))
const spendable = ({ native }: Scene): bigint => native() - reserve

export function receive({ random, wallet, tonOf, trace }: Scene): boolean {
  const [sent] = trace.begin(exchange, [[wallet, tonOf(random.size(50, 4_000)) + reserve]])
  trace.take(sent!, { fees: 309_000n })
  return true
}

/** An owner orders its wallet contract to send a jetton, which the other owner's gets. */
function transfer(
  { trace }: Scene,
  facts: { from: string; to: string; jetton: typeof usdt; amount: bigint; notices: boolean },
): void {
  const { from, to, jetton, amount, notices } = facts
  const [ordered] = trace.begin(from, [[jettonWalletOf(from, jetton.master), order]])
  const [inside] = trace.take(ordered!, { sends: [[jettonWalletOf(to, jetton.master), order - 8_000_000n]] })
  trace.move('transfer', { jetton, from, to, amount })
  const back: [string, bigint] = [from, excess]
  const sent = trace.take(inside!, { sends: notices ? [[to, notice], back] : [back] })
  for (const one of sent) trace.take(one, { fees: one.value === notice ? 0n : 309_000n })
}

function receiveJetton(scene: Scene): boolean {
  const { random, wallet: to } = scene
  const amount = usdtOf(random.size(20, 2_000))
  transfer(scene, { from: random.pick(outsiders), to, jetton: usdt, amount, notices: true })
  return true
}

/** Without a notice the wallet has no transaction at all. */
function receiveQuietly(scene: Scene): boolean {
  const { random, wallet: to } = scene
  const amount = usdtOf(random.size(20, 200))
  transfer(scene, { from: random.pick(outsiders), to, jetton: usdt, amount, notices: false })
  return true
}

function send(scene: Scene): boolean {
  const value = spendable(scene) / 3n
  if (value < 1_000_000n) return false
  const [sent] = scene.trace.begin(scene.wallet, [[scene.random.pick(outsiders), value]])
  scene.trace.take(sent!, { fees: 309_000n })
  return true
}

function sendJetton(scene: Scene): boolean {
  const amount = scene.held(usdt) / 3n
  if (amount < 1_000_000n || spendable(scene) < 0n) return false
  const to = scene.random.pick(outsiders)
  transfer(scene, { from: scene.wallet, to, jetton: usdt, amount, notices: true })
  return true
}

function buyJetton(scene: Scene): boolean {
  const { random, wallet, tonOf, trace } = scene
  const usd = random.size(30, 800)
  const value = tonOf(usd)
  if (value > spendable(scene)) return false
  const [paid] = trace.begin(wallet, [[pool, value + 2n * order]])
  const [ordered] = trace.take(paid!, { sends: [[jettonWalletOf(pool, usdt.master), order]] })
  const [inside] = trace.take(ordered!, {
    sends: [[jettonWalletOf(wallet, usdt.master), order - 8_000_000n]],
  })
  trace.move('transfer', { jetton: usdt, from: pool, to: wallet, amount: usdtOf(usd * 0.997) })
  const [back] = trace.take(inside!, { sends: [[wallet, excess]] })
  trace.take(back!, { fees: 309_000n })
  return true
}

function sellJetton(scene: Scene): boolean {
  const { random, wallet, held, tonOf, trace } = scene
  const usd = random.size(30, 800)
  const amount = usdtOf(usd)
  if (amount > held(usdt) || spendable(scene) < 0n) return false
  const [ordered] = trace.begin(wallet, [[jettonWalletOf(wallet, usdt.master), 3n * order]])
  const [inside] = trace.take(ordered!, { sends: [[jettonWalletOf(pool, usdt.master), 2n * order]] })
  trace.move('transfer', { jetton: usdt, from: wallet, to: pool, amount })
  const [told] = trace.take(inside!, { sends: [[pool, order]] })
  const [paid] = trace.take(told!, { sends: [[wallet, tonOf(usd * 0.997)]] })
  trace.take(paid!, { fees: 309_000n })
  return true
}

/** As a bridge does. */
function burn(scene: Scene): boolean {
  const { wallet, held, trace } = scene
  const amount = held(usdt) / 5n
  if (amount < 1_000_000n || spendable(scene) < 0n) return false
  const [ordered] = trace.begin(wallet, [[jettonWalletOf(wallet, usdt.master), order]])
  const [told] = trace.take(ordered!, { sends: [[usdt.master, order - 8_000_000n]] })
  trace.move('burn', { jetton: usdt, from: wallet, to: null, amount })
  const [back] = trace.take(told!, { sends: [[wallet, excess]] })
  trace.take(back!, { fees: 309_000n })
  return true
}

/** A change inside the wallet's own contract. */
function callOnly(scene: Scene): boolean {
  if (spendable(scene) < 0n) return false
  scene.trace.begin(scene.wallet)
  return true
}

/** More of a jetton than there is: its wallet contract refuses the message, and sends back what is left of it. */
function bounce(scene: Scene): boolean {
  const value = 200_000_000n
  if (spendable(scene) < value) return false
  const { wallet, trace, held } = scene
  const [sent] = trace.begin(wallet, [[jettonWalletOf(wallet, usdt.master), value]])
  const [back] = trace.take(sent!, { aborted: true, sends: [[wallet, value - 5_000_000n]] })
  trace.move('transfer', { jetton: usdt, from: wallet, to: pool, amount: held(usdt) + 1n })
  trace.take(back!, { fees: 0n })
  return true
}

function airdrop(scene: Scene): boolean {
  const { wallet: to } = scene
  transfer(scene, { from: spammer, to, jetton: voucher, amount: 1_000_000_000n, notices: true })
  return true
}
