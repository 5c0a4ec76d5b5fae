import type { Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { beginOf, type Instant, playScenes } from '../scenes.ts'
import { acts, receive } from './acts.ts'
import { cardanoWallets, type CardanoWallet, hashOf, type Owner } from './actors.ts'

/** Seconds. */
const perBlock = 20
const firstBlock = 11_000_000
const epochSeconds = 432_000
/** When Shelley began, with its first epoch and slot: slots are seconds from there on. */
const shelley = { at: 1_596_059_091, epoch: 208, slot: 4_492_800 }

export const epochAt = (at: number): number => shelley.epoch + Math.floor((at - shelley.at) / epochSeconds)
export const epochStart = (epoch: number): number => shelley.at + (epoch - shelley.epoch) * epochSeconds
export const slotAt = (at: number): number => shelley.slot + at - shelley.at

export type Assets = readonly (readonly [unit: string, raw: bigint])[]
export type Utxo = {
  tx: string
  index: number
  address: string
  stake: string | null
  value: bigint
  assets: Assets
}
export type Certificate = {
  type: 'stake_registration' | 'stake_deregistration' | 'pool_delegation'
  stake: string
}
export type PlannedTx = {
  hash: string
  at: number
  inputs: Utxo[]
  outputs: Utxo[]
  /** offered, and not spent because the script succeeded */
  collateral: Utxo[]
  withdrawals: [stake: string, raw: bigint][]
  certificates: Certificate[]
  minted: [unit: string, raw: bigint][]
  fee: bigint
  deposit: bigint
  /** whether its scripts succeeded; else its inputs are the collateral */
  isValid: boolean
}
export type CardanoTx = PlannedTx & { block: number }
export type Credit = {
  stake: string
  earned: number
  spendable: number
  raw: bigint
  type: 'member' | 'treasury'
}

/** What a delegated coin earns in an epoch. */
const rewardPerCoin = { numerator: 4n, denominator: 10_000n }
/** Every so many epochs the treasury pays, as it did to voters. */
const treasuryEvery = 20

/** The blocks of two years, and a while after them. `fork`: blocks above a height are others, and come later. */
export type CardanoChain = ReturnType<typeof createCardanoChain>
export function createCardanoChain(options: { market: Market; fork?: { above: number; delay: number } }) {
  const { market, fork } = options
  const start = beginOf(market)
  const heightAt = (at: number): number => firstBlock + Math.floor((at - start) / perBlock)
  const isForked = (height: number): boolean => fork !== undefined && height > fork.above
  const plan = planOf(market)
  const txs = plan.txs.map((tx): CardanoTx => {
    const height = heightAt(tx.at) + 1
    return { ...tx, block: height + (isForked(height) ? fork!.delay : 0) }
  })
  const byHash = new Map(txs.map((tx) => [tx.hash, tx]))
  const spentBy = new Map(
    txs.flatMap((tx) => tx.inputs.map((one): [string, CardanoTx] => [placeOf(one), tx])),
  )
  return {
    tipAt: heightAt,
    firstBlock,
    hashAt: (height: number): string => hashOf(`cardano block ${height} ${isForked(height)}`),
    timeOf: (height: number): number => start + (height - firstBlock) * perBlock,
    heightOf: (at: number): number => firstBlock + Math.ceil((at - start) / perBlock),
    tx: (hash: string): CardanoTx | undefined => byHash.get(hash),
    /** oldest first */
    txs: (height: number): CardanoTx[] => txs.filter(({ block }) => block <= height),
    unspent: (height: number): Utxo[] =>
      txs
        .filter(({ block }) => block <= height)
        .flatMap(({ outputs }) => outputs)
        .filter((one) => (spentBy.get(placeOf(one))?.block ?? Infinity) > height),
    credits: (stake: string): Credit[] => plan.credits.filter((one) => one.stake === stake),
    isRegistered: (stake: string, height: number): boolean =>
      txs
        .filter(({ block }) => block <= height)
        .flatMap(({ certificates }) => certificates)
        .findLast((one) => one.stake === stake && one.type !== 'pool_delegation')?.type ===
      'stake_registration',
  }
}

const placeOf = ({ tx, index }: Utxo): string => `${tx} ${index}`
export const touches = ({ inputs, outputs }: CardanoTx, fits: (one: Utxo) => boolean): boolean =>
  inputs.some(fits) || outputs.some(fits)

/** An output to make. */
export type Paid = { to: Owner; value: bigint; assets?: Assets; index?: number }

export type Scene = {
  random: Random
  wallet: CardanoWallet
  lovelaceOf: (usd: number) => bigint
  /** coins that the wallet may spend */
  coins: () => bigint
  held: (unit: string) => bigint
  /** what its stake address may withdraw; null: it is not registered */
  rewards: () => bigint | null
  /** All that the wallet has, as inputs; the rest comes back to a new address. */
  spend: (paid: Paid[], more?: Partial<PlannedTx>) => void
  /** Paid by somebody else, who has what is needed. */
  pay: (payer: Owner, paid: Paid[], more?: Partial<PlannedTx>) => void
  /** Both give all they have, and have what they are paid and the rest of it. */
  exchange: (other: Owner, swap: { gives: Assets; value: bigint; takes: Assets }) => void
  /** A script of the wallet fails, and takes of the collateral what is not given back. */
  failScript: () => void
}

function planOf(market: Market): { txs: PlannedTx[]; credits: Credit[] } {
  const txs: PlannedTx[] = []
  const credits: Credit[] = []
  const unspent = new Map<Owner, Utxo[]>()
  const accounts = new Map<string, { isRegistered: boolean; rewards: bigint }>()
  let foreign = 0
  let epoch = epochAt(beginOf(market))

  const utxosOf = (owner: Owner): Utxo[] => unspent.get(owner) ?? []
  const sumOf = (all: readonly { value: bigint }[]) => all.reduce((sum, { value }) => sum + value, 0n)
  const heldOf = (owner: Owner, unit: string): bigint =>
    utxosOf(owner)
      .flatMap(({ assets }) => assets)
      .reduce((sum, [of, raw]) => (of === unit ? sum + raw : sum), 0n)

  /** Credits the epochs up to an instant. */
  function reach(at: number): void {
    for (; epoch < epochAt(at); epoch++)
      for (const wallet of cardanoWallets) {
        const account = accounts.get(wallet.stake ?? '')
        if (!account?.isRegistered) continue
        const spendable = epoch + 1
        const credit = (raw: bigint, type: Credit['type']) => {
          if (raw === 0n) return
          credits.push({ stake: wallet.stake!, earned: spendable - 2, spendable, raw, type })
          account.rewards += raw
        }
        const { numerator, denominator } = rewardPerCoin
        credit((sumOf(utxosOf(wallet)) * numerator) / denominator, 'member')
        if (spendable % treasuryEvery === 0) credit(1_234_567n, 'treasury')
      }
  }

  function submit(at: number, made: { inputs: Utxo[]; paid: Paid[] } & Partial<PlannedTx>): void {
    const hash = hashOf(`cardano tx ${txs.length}`)
    const outputs = made.paid.map(({ to, value, assets = [], index = 0 }, i): Utxo => ({
      tx: hash,
      index: i,
      address: to.addressAt(index),
      stake: to.stake,
      value,
      assets,
    }))
    const { paid, ...rest } = made
    const facts = {
      collateral: [],
      withdrawals: [],
      certificates: [],
      minted: [],
      deposit: 0n,
      isValid: true,
    }
    txs.push({ ...facts, fee: 0n, ...rest, hash, at, outputs })
    const spent = new Set(rest.inputs.map(placeOf))
    for (const [owner, all] of unspent)
      unspent.set(
        owner,
        all.filter((one) => !spent.has(placeOf(one))),
      )
    paid.forEach(({ to }, i) => unspent.set(to, [...utxosOf(to), outputs[i]!]))
    for (const [stake, raw] of rest.withdrawals ?? []) accounts.get(stake)!.rewards -= raw
    for (const { type, stake } of rest.certificates ?? [])
      if (type !== 'pool_delegation')
        accounts.set(stake, {
          isRegistered: type === 'stake_registration',
          rewards: accounts.get(stake)?.rewards ?? 0n,
        })
  }

  /** An output that somebody had from before the history. */
  const hadBefore = (owner: Owner, value: bigint, assets: Assets): Utxo => ({
    tx: hashOf(`cardano before ${foreign++}`),
    index: foreign % 3,
    address: owner.addressAt(0),
    stake: owner.stake,
    value,
    assets,
  })

  const sceneAt = ({ at: planned, wallet: name, random }: Instant): Scene => {
    const at = Math.max(planned, (txs.at(-1)?.at ?? 0) + 90)
    reach(at)
    const wallet = cardanoWallets.find((one) => one.name === name)!
    const fee = 168_000n + BigInt(random.integer(40_000))
    const change = () => txs.length
    const account = accounts.get(wallet.stake ?? '')
    return {
      random,
      wallet,
      lovelaceOf: (usd) => BigInt(Math.round((usd / market.priceUsd('cardano', at)!) * 1e6)),
      coins: () => sumOf(utxosOf(wallet)),
      held: (unit) => heldOf(wallet, unit),
      rewards: () => (account?.isRegistered ? account.rewards : null),
      spend(paid, more = {}) {
        const inputs = utxosOf(wallet)
        const given = paid.flatMap(({ assets = [] }) => assets)
        const rest = restOf(inputs, given, more.minted ?? [])
        const withdrawn = (more.withdrawals ?? []).reduce((sum, [, raw]) => sum + raw, 0n)
        const value = sumOf(inputs) + withdrawn - sumOf(paid) - fee - (more.deposit ?? 0n)
        submit(at, {
          ...more,
          inputs,
          fee,
          paid: [...paid, { to: wallet, value, assets: rest, index: change() }],
        })
      },
      pay(payer, paid, more = {}) {
        const value = sumOf(paid) + fee + 5_000_000n
        const withdrawn = (more.withdrawals ?? []).reduce((sum, [, raw]) => sum + raw, 0n)
        const assets = paid.flatMap((one) => one.assets ?? [])
        const back = { to: payer, value: 5_000_000n + withdrawn }
        submit(at, { ...more, inputs: [hadBefore(payer, value, assets)], fee, paid: [...paid, back] })
      },
      exchange(other, { gives, value, takes }) {
        const [mine, theirs] = [utxosOf(wallet), hadBefore(other, 9_000_000_000n, takes)]
        const kept = restOf(mine, gives, takes)
        submit(at, {
          inputs: [...mine, theirs],
          fee,
          collateral: mine.slice(0, 1),
          paid: [
            { to: other, value: theirs.value + value, assets: gives },
            { to: wallet, value: sumOf(mine) - value - fee, assets: kept, index: change() },
          ],
        })
      },
      failScript() {
        const inputs = utxosOf(wallet).slice(0, 1)
        const lost = 500_000n
        const [first] = inputs
        const back = { to: wallet, value: first!.value - lost, assets: first!.assets, index: change() }
        submit(at, { inputs, fee: lost, isValid: false, paid: [back] })
      },
    }
  }
  const wallets = cardanoWallets.map(({ name, weight }) => ({ address: name, weight }))
  playScenes({ market, name: 'cardano', everyDays: 3, wallets, acts, usual: receive, sceneAt })
  reach(txs.at(-1)!.at)
  return { txs, credits }
}

/** Assets of inputs less what is given, with what comes in. */
function restOf(inputs: readonly Utxo[], given: Assets, taken: Assets): Assets {
  const held = new Map<string, bigint>()
  for (const [unit, raw] of [...inputs.flatMap(({ assets }) => assets), ...taken])
    held.set(unit, (held.get(unit) ?? 0n) + raw)
  for (const [unit, raw] of given) held.set(unit, (held.get(unit) ?? 0n) - raw)
  return [...held].filter(([, raw]) => raw > 0n)
}
