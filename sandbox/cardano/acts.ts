import type { Act } from '../scenes.ts'
import { contract, exchange, gift, keyDeposit, maker, outsiders, picture, spammer, usdc } from './actors.ts'
import type { Scene } from './ledger.ts'

/** What an output with tokens has to have. */
const leastCoins = 1_200_000n
/** What a wallet keeps. */
const reserve = 5_000_000n

const spendable = ({ coins }: Scene): bigint => coins() - reserve
const usdcOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

export const acts: Act<Scene>[] = [
  [receive, 12],
  [receiveToken, 8],
  [send, 9],
  [sendToken, 6],
  [toSelf, 3],
  [buyToken, 8],
  [sellToken, 6],
  [register, 8],
  [withdraw, 5],
  [withdrawElsewhere, 3],
  [deregister, 1],
  [mint, 3],
  [fail, 3],
  [airdrop, 3],
]

export function receive({ random, wallet, lovelaceOf, pay }: Scene): boolean {
  const value = lovelaceOf(random.size(50, 4_000)) + reserve
  pay(exchange, [{ to: wallet, value, index: random.integer(5) }])
  return true
}

function receiveToken({ random, wallet, pay }: Scene): boolean {
  const assets = [[usdc.unit, usdcOf(random.size(20, 2_000))] as const]
  pay(random.pick(outsiders), [{ to: wallet, value: leastCoins, assets, index: random.integer(5) }])
  return true
}

function send(scene: Scene): boolean {
  const value = spendable(scene) / 3n
  if (value < leastCoins) return false
  scene.spend([{ to: scene.random.pick(outsiders), value }])
  return true
}

function sendToken(scene: Scene): boolean {
  const raw = scene.held(usdc.unit) / 3n
  if (raw < 1_000_000n || spendable(scene) < 2n * leastCoins) return false
  scene.spend([{ to: scene.random.pick(outsiders), value: leastCoins, assets: [[usdc.unit, raw]] }])
  return true
}

function toSelf(scene: Scene): boolean {
  if (spendable(scene) < leastCoins) return false
  scene.spend([{ to: scene.wallet, value: leastCoins, index: scene.random.integer(9) }])
  return true
}

function buyToken(scene: Scene): boolean {
  const usd = scene.random.size(30, 800)
  const value = scene.lovelaceOf(usd)
  if (value > spendable(scene)) return false
  scene.exchange(maker, { gives: [], value, takes: [[usdc.unit, usdcOf(usd * 0.998)]] })
  return true
}

function sellToken(scene: Scene): boolean {
  const usd = scene.random.size(30, 800)
  if (usdcOf(usd) > scene.held(usdc.unit) || spendable(scene) < leastCoins) return false
  scene.exchange(contract, {
    gives: [[usdc.unit, usdcOf(usd)]],
    value: -scene.lovelaceOf(usd * 0.998),
    takes: [],
  })
  return true
}

/** Registers and delegates in one transaction. */
function register(scene: Scene): boolean {
  const { stake } = scene.wallet
  if (stake === null || scene.rewards() !== null || spendable(scene) < keyDeposit) return false
  const certificates = (['stake_registration', 'pool_delegation'] as const).map((type) => ({ type, stake }))
  scene.spend([], { certificates, deposit: keyDeposit })
  return true
}

function withdraw(scene: Scene): boolean {
  const raw = scene.rewards() ?? 0n
  if (raw === 0n || spendable(scene) < 0n) return false
  scene.spend([], { withdrawals: [[scene.wallet.stake!, raw]] })
  return true
}

/** Somebody else pays, and has the rewards: no output of the account is touched. */
function withdrawElsewhere(scene: Scene): boolean {
  const raw = scene.rewards() ?? 0n
  if (raw === 0n) return false
  const payer = scene.random.pick(outsiders)
  scene.pay(payer, [{ to: payer, value: leastCoins }], { withdrawals: [[scene.wallet.stake!, raw]] })
  return true
}

/** Needs what may be withdrawn in the same transaction. */
function deregister(scene: Scene): boolean {
  const raw = scene.rewards()
  const { stake } = scene.wallet
  if (raw === null || stake === null || spendable(scene) < 0n) return false
  scene.spend([], {
    certificates: [{ type: 'stake_deregistration', stake }],
    withdrawals: raw > 0n ? [[stake, raw]] : [],
    deposit: -keyDeposit,
  })
  return true
}

/** Pays an artist for a picture that the same transaction mints. */
function mint(scene: Scene): boolean {
  const value = scene.lovelaceOf(scene.random.size(10, 60)) + leastCoins
  if (value > spendable(scene)) return false
  scene.spend([{ to: scene.random.pick(outsiders), value }], { minted: [[picture.unit, 1n]] })
  return true
}

function fail(scene: Scene): boolean {
  if (spendable(scene) < 0n) return false
  scene.failScript()
  return true
}

function airdrop({ wallet, pay }: Scene): boolean {
  const assets = [[gift.unit, 1_000n] as const]
  pay(
    spammer,
    [...outsiders, wallet].map((to) => ({ to, value: leastCoins, assets })),
  )
  return true
}
