import type { Random } from '../chain/random.ts'
import type { Market } from '../market/market.ts'
import { type Act, beginOf, type Instant, playScenes } from '../scenes.ts'
import {
  digestOf,
  exchange,
  gift,
  maker,
  outsiders,
  spammer,
  sponsor,
  suiType,
  suiWallets,
  usdc,
} from './actors.ts'

/** Milliseconds. */
const perCheckpoint = 250
const firstCheckpoint = 40_000_000
/** What a wallet keeps for gas. */
const reserve = 500_000_000n

export type Gas = { computation: bigint; storage: bigint; rebate: bigint }
export type SuiTx = {
  digest: string
  checkpoint: number
  success: boolean
  sender: string
  /** Who pays the gas; null: the sender. */
  sponsor: string | null
  gas: Gas
  /** The gas is in the change of who pays it. */
  changes: { owner: string; type: string; raw: bigint }[]
}

/** The checkpoints of two years, and a while after them. */
export type SuiChain = ReturnType<typeof createSuiChain>
export function createSuiChain({ market }: { market: Market }) {
  const startMs = beginOf(market) * 1_000
  const checkpointAt = (at: number): number =>
    firstCheckpoint + Math.floor((at * 1_000 - startMs) / perCheckpoint)
  const txs = plan(market, checkpointAt)
  return {
    newest: checkpointAt,
    /** Unix milliseconds. */
    timeOf: (checkpoint: number): number => startMs + (checkpoint - firstCheckpoint) * perCheckpoint,
    tx: (digest: string): SuiTx | undefined => txs.find((one) => one.digest === digest),
    /** The transactions that an address sent or paid for, or that changed its balances, oldest first. */
    affecting: (address: string): SuiTx[] =>
      txs.filter(
        (tx) =>
          tx.sender === address ||
          tx.sponsor === address ||
          tx.changes.some(({ owner }) => owner === address),
      ),
    /** Balances by type at the end of a checkpoint. */
    held(address: string, checkpoint: number): Map<string, bigint> {
      const held = new Map<string, bigint>()
      for (const tx of txs.filter((one) => one.checkpoint <= checkpoint))
        for (const { owner, type, raw } of tx.changes)
          if (owner === address) held.set(type, (held.get(type) ?? 0n) + raw)
      return held
    },
  }
}

type Scene = {
  random: Random
  wallet: string
  heldBy: (type: string) => bigint
  suiOf: (usd: number) => bigint
  submit: (
    tx: Partial<SuiTx> & Pick<SuiTx, 'sender'>,
    moves: [owner: string, type: string, raw: bigint][],
  ) => void
}

const usualGas: Gas = { computation: 750_000n, storage: 1_976_000n, rebate: 978_120n }
/** Coins that are merged give the storage of the deleted ones back. */
const mergeGas: Gas = { computation: 750_000n, storage: 988_000n, rebate: 9_780_000n }

function plan(market: Market, checkpointAt: (at: number) => number): SuiTx[] {
  const txs: SuiTx[] = []
  const state = new Map<string, bigint>()
  const sceneAt = ({ at, wallet, random }: Instant): Scene => {
    const submit: Scene['submit'] = (tx, moves) => {
      const { gas = usualGas, success = true } = tx
      const payer = tx.sponsor ?? tx.sender
      const changes = new Map<string, SuiTx['changes'][number]>()
      const spent = gas.rebate - gas.computation - gas.storage
      for (const [owner, type, raw] of [...moves, [payer, suiType, spent] as const]) {
        const key = `${owner} ${type}`
        changes.set(key, { owner, type, raw: (changes.get(key)?.raw ?? 0n) + raw })
        state.set(key, (state.get(key) ?? 0n) + raw)
      }
      const digest = digestOf(`sui ${txs.length} ${tx.sender}`)
      const checkpoint = Math.max(checkpointAt(at), (txs.at(-1)?.checkpoint ?? 0) + 1)
      txs.push({ sponsor: null, ...tx, digest, checkpoint, success, gas, changes: [...changes.values()] })
    }
    const heldBy = (type: string): bigint => state.get(`${wallet} ${type}`) ?? 0n
    const suiOf = (usd: number) => BigInt(Math.round((usd / market.priceUsd('sui', at)!) * 1e9))
    return { random, wallet, heldBy, suiOf, submit }
  }
  playScenes({ market, name: 'sui', everyDays: 4, wallets: suiWallets, acts, usual: receive, sceneAt })
  return txs
}

const acts: Act<Scene>[] = [
  [receive, 14],
  [receiveToken, 10],
  [send, 9],
  [sendToken, 7],
  [sendSponsored, 4],
  [buyToken, 8],
  [sellToken, 7],
  [merge, 4],
  [callOnly, 3],
  [fail, 4],
  [airdrop, 2],
]

const spendable = ({ heldBy }: Scene): bigint => heldBy(suiType) - reserve
const usdcOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

function receive({ random, wallet, suiOf, submit }: Scene): boolean {
  const raw = suiOf(random.size(50, 4_000)) + reserve
  submit({ sender: exchange }, [
    [exchange, suiType, -raw],
    [wallet, suiType, raw],
  ])
  return true
}

function receiveToken({ random, wallet, submit }: Scene): boolean {
  const raw = usdcOf(random.size(20, 2_000))
  const sender = random.pick(outsiders)
  submit({ sender }, [
    [sender, usdc.type, -raw],
    [wallet, usdc.type, raw],
  ])
  return true
}

function send(scene: Scene): boolean {
  const { random, wallet, submit } = scene
  const raw = spendable(scene) / 3n
  if (raw < 1_000_000n) return false
  submit({ sender: wallet }, [
    [wallet, suiType, -raw],
    [random.pick(outsiders), suiType, raw],
  ])
  return true
}

function sendToken(scene: Scene): boolean {
  const { random, wallet, heldBy, submit } = scene
  const raw = heldBy(usdc.type) / 3n
  if (raw < 1_000_000n || spendable(scene) < 0n) return false
  submit({ sender: wallet }, [
    [wallet, usdc.type, -raw],
    [random.pick(outsiders), usdc.type, raw],
  ])
  return true
}

/** Somebody else pays the gas. */
function sendSponsored({ random, wallet, heldBy, submit }: Scene): boolean {
  const raw = heldBy(usdc.type) / 4n
  if (raw < 1_000_000n) return false
  submit({ sender: wallet, sponsor }, [
    [wallet, usdc.type, -raw],
    [random.pick(outsiders), usdc.type, raw],
  ])
  return true
}

function buyToken(scene: Scene): boolean {
  const { random, wallet, suiOf, submit } = scene
  const usd = random.size(30, 800)
  const raw = suiOf(usd)
  if (raw > spendable(scene)) return false
  submit({ sender: wallet }, [
    [wallet, suiType, -raw],
    [wallet, usdc.type, usdcOf(usd * 0.998)],
    [maker, suiType, raw],
    [maker, usdc.type, -usdcOf(usd * 0.998)],
  ])
  return true
}

function sellToken(scene: Scene): boolean {
  const { random, wallet, heldBy, suiOf, submit } = scene
  const usd = random.size(30, 800)
  if (usdcOf(usd) > heldBy(usdc.type) || spendable(scene) < 0n) return false
  const raw = suiOf(usd * 0.998)
  submit({ sender: wallet }, [
    [wallet, usdc.type, -usdcOf(usd)],
    [wallet, suiType, raw],
    [maker, usdc.type, usdcOf(usd)],
    [maker, suiType, -raw],
  ])
  return true
}

function merge(scene: Scene): boolean {
  if (spendable(scene) < 0n) return false
  scene.submit({ sender: scene.wallet, gas: mergeGas }, [])
  return true
}

function callOnly(scene: Scene): boolean {
  if (spendable(scene) < 0n) return false
  scene.submit({ sender: scene.wallet }, [])
  return true
}

function fail(scene: Scene): boolean {
  if (spendable(scene) < 0n) return false
  scene.submit({ sender: scene.wallet, success: false }, [])
  return true
}

/** More changes than a page of them has. */
function airdrop({ wallet, submit }: Scene): boolean {
  const raw = 1_000_000_000n
  submit({ sender: spammer }, [
    ...outsiders.map((one): [string, string, bigint] => [one, gift.type, raw]),
    [wallet, gift.type, raw],
    [spammer, gift.type, -raw * BigInt(outsiders.length + 1)],
  ])
  return true
}
