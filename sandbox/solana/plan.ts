import { createRandom, type Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { hashText } from '../market/noise.ts'
import { exchange, outsiders, pool, solanaWallets, spammer, sponsor } from './actors.ts'
import { createLedger, type Ledger, rent, type SolanaTx } from './ledger.ts'
import { drop, nameless, scam, type SolanaToken, usdc, usdt, wrappedSol } from './tokens.ts'

const day = 86_400
/** Lamports kept for fees and rents. */
const reserve = 50_000_000n
const stables = [usdc, usdt]

type Scene = {
  at: number
  random: Random
  wallet: string
  ledger: Ledger
  amountOf: (coin: Coin, usd: number) => bigint
}
type Coin = { id: string; decimals: number }
const sol: Coin = { id: 'solana', decimals: 9 }
const coinOf = (token: SolanaToken): Coin => ({ id: token.coinId!, decimals: token.decimals })

/**
 * Plans the tracked wallets' transactions from `days` before the anchor to `daysAhead` after it. A pure
 * function.
 */
export function planSolana(options: { market: Market; days: number; daysAhead: number }): SolanaTx[] {
  const { market, days, daysAhead } = options
  const random = createRandom(hashText(market.seed, 'solana'))
  const ledger = createLedger(new Set(solanaWallets.map(({ address }) => address)))
  const [from, to] = [market.anchor - days * day, market.anchor + daysAhead * day]
  const times = Array.from({ length: Math.round((to - from) / (2.2 * day)) }, () =>
    Math.floor(random.between(from, to)),
  ).sort((a, b) => a - b)
  const dropAt = times.findIndex((at) => at > market.anchor - 290 * day)
  times.forEach((at, i) => {
    const wallet = random.weighted(solanaWallets.map((one) => [one.address, one.weight] as const))
    const amountOf = (coin: Coin, usd: number): bigint =>
      BigInt(Math.round((usd / market.priceUsd(coin.id, at)!) * 10 ** coin.decimals))
    const scene: Scene = { at, random, wallet, ledger, amountOf }
    if (i === dropAt) airdrop(scene)
    else if (!random.weighted(acts)(scene)) deposit(scene)
  })
  return ledger.txs
}

const acts: (readonly [(scene: Scene) => boolean, number])[] = [
  [deposit, 14],
  [receiveToken, 16],
  [sendSol, 9],
  [sendToken, 10],
  [buy, 13],
  [sell, 12],
  [wrapAndBack, 5],
  [fail, 6],
  [spam, 4],
  [sponsored, 4],
  [emptyAndClose, 4],
  [gift, 3],
]

function deposit({ at, random, wallet, ledger, amountOf }: Scene): boolean {
  const lamports = amountOf(sol, random.size(100, 4_000))
  ledger.transact({ at, payer: exchange }, (tx) => {
    tx.lamports(exchange, -lamports)
    tx.lamports(wallet, lamports)
  })
  return true
}

function receiveToken({ at, random, wallet, ledger, amountOf }: Scene): boolean {
  const token = random.pick(stables)
  const amount = amountOf(coinOf(token), random.size(20, 3_000))
  const payer = random.pick(outsiders)
  ledger.transact({ at, payer, version: random.chance(0.3) ? 0 : 'legacy' }, (tx) => {
    tx.tokens(payer, token, -amount)
    tx.tokens(wallet, token, amount)
  })
  return true
}

function spendable({ wallet, ledger }: Scene): bigint {
  const held = ledger.balanceOf(wallet, null)
  return held > reserve ? held - reserve : 0n
}

function sendSol(scene: Scene): boolean {
  const { at, random, wallet, ledger } = scene
  const lamports = part(spendable(scene), random)
  if (lamports === 0n) return false
  const receiver = random.pick(outsiders)
  ledger.transact({ at, payer: wallet }, (tx) => {
    tx.lamports(wallet, -lamports)
    tx.lamports(receiver, lamports)
  })
  return true
}

function sendToken(scene: Scene): boolean {
  return payToken(scene, scene.wallet, spendable(scene) > 10n * rent)
}

/** A sponsor pays the fee. */
function sponsored(scene: Scene): boolean {
  return payToken(scene, sponsor, true)
}

function payToken({ at, random, wallet, ledger }: Scene, payer: string, canPay: boolean): boolean {
  const token = random.pick(stables)
  const amount = part(ledger.balanceOf(wallet, token), random)
  if (amount === 0n || !canPay) return false
  const receiver = random.pick(outsiders)
  ledger.transact({ at, payer }, (tx) => {
    tx.tokens(wallet, token, -amount)
    tx.tokens(receiver, token, amount)
  })
  return true
}

function buy(scene: Scene): boolean {
  const { at, random, wallet, ledger, amountOf } = scene
  const token = random.pick(stables)
  const lamports = amountOf(sol, random.size(20, 600))
  if (spendable(scene) < lamports + 10n * rent) return false
  const got = (amountOf(coinOf(token), 1) * lamports * 997n) / (amountOf(sol, 1) * 1_000n)
  ledger.transact({ at, payer: wallet, version: 0, fee: 5_000n + BigInt(random.integer(200_000)) }, (tx) => {
    tx.lamports(wallet, -lamports)
    tx.lamports(pool, lamports)
    tx.tokens(pool, token, -got)
    tx.tokens(wallet, token, got)
  })
  return true
}

function sell(scene: Scene): boolean {
  const { at, random, wallet, ledger, amountOf } = scene
  const token = random.pick([...stables, drop])
  const amount = part(ledger.balanceOf(wallet, token), random)
  if (amount === 0n || spendable(scene) === 0n) return false
  const got = (amountOf(sol, 1) * amount * 997n) / (amountOf(coinOf(token), 1) * 1_000n)
  ledger.transact({ at, payer: wallet, version: random.chance(0.3) ? 1 : 0 }, (tx) => {
    tx.tokens(wallet, token, -amount)
    tx.tokens(pool, token, amount)
    tx.lamports(pool, -got)
    tx.lamports(wallet, got)
  })
  return true
}

function wrapAndBack(scene: Scene): boolean {
  const { at, random, wallet, ledger } = scene
  const lamports = part(spendable(scene), random)
  if (lamports < 10n * rent) return false
  ledger.transact({ at, payer: wallet }, (tx) => {
    tx.lamports(wallet, -lamports)
    tx.tokens(wallet, wrappedSol, lamports)
  })
  ledger.transact({ at: at + 40, payer: wallet }, (tx) => {
    tx.tokens(wallet, wrappedSol, -lamports)
    tx.lamports(wallet, lamports)
    tx.close(wallet, wrappedSol)
  })
  return true
}

/** A swap that misses its price: only the fee is paid. */
function fail(scene: Scene): boolean {
  const { at, wallet, ledger, amountOf } = scene
  const lamports = amountOf(sol, 50)
  if (spendable(scene) < lamports + 10n * rent) return false
  ledger.transact({ at, payer: wallet, version: 0, failed: true, fee: 25_000n }, (tx) => {
    tx.lamports(wallet, -lamports)
    tx.lamports(pool, lamports)
    tx.tokens(wallet, usdc, amountOf(coinOf(usdc), 49))
  })
  return true
}

function spam({ at, wallet, ledger }: Scene): boolean {
  ledger.transact({ at, payer: spammer }, (tx) => {
    tx.tokens(spammer, scam, -1n)
    tx.tokens(wallet, scam, 1n)
  })
  return true
}

/** Receives and returns an unlisted token and closes its account: only the wallet's transactions show it. */
function gift({ at, random, wallet, ledger }: Scene): boolean {
  if (ledger.balanceOf(wallet, null) < reserve) return false
  const amount = BigInt(1 + random.integer(1_000_000))
  ledger.transact({ at, payer: spammer }, (tx) => {
    tx.tokens(spammer, nameless, -amount)
    tx.tokens(wallet, nameless, amount)
  })
  ledger.transact({ at: at + 900, payer: wallet }, (tx) => {
    tx.tokens(wallet, nameless, -amount)
    tx.tokens(spammer, nameless, amount)
    tx.close(wallet, nameless)
  })
  return true
}

function emptyAndClose(scene: Scene): boolean {
  const { at, random, wallet, ledger } = scene
  const amount = ledger.balanceOf(wallet, usdt)
  if (amount === 0n || spendable(scene) === 0n) return false
  const receiver = random.pick(outsiders)
  ledger.transact({ at, payer: wallet }, (tx) => {
    tx.tokens(wallet, usdt, -amount)
    tx.tokens(receiver, usdt, amount)
    tx.close(wallet, usdt)
  })
  return true
}

function airdrop({ at, wallet, ledger }: Scene): void {
  ledger.transact({ at, payer: sponsor, version: 1 }, (tx) => {
    for (const owner of [...outsiders, ...solanaWallets.map(({ address }) => address)]) {
      tx.tokens(sponsor, drop, -250n * 10n ** 9n)
      tx.tokens(owner, drop, (owner === wallet ? 500n : 250n) * 10n ** 9n)
    }
    tx.tokens(sponsor, drop, -250n * 10n ** 9n)
  })
}

function part(held: bigint, random: Random): bigint {
  return (held * BigInt(Math.floor(random.between(50, 700)))) / 1_000n
}
