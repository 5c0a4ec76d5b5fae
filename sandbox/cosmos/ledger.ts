import type { Market } from '../market/market.ts'
import { beginOf, type Instant, playScenes } from '../scenes.ts'
import { acts, receive } from './acts.ts'
import { actorsOf, type CosmosNet, hashOf } from './actors.ts'
import { createEvents } from './events.ts'
import type { Held } from './holdings.ts'
import type { CosmosTx, Scene } from './scene.ts'

type Snapshot = { height: number; held: Held }

export type CosmosChain = ReturnType<typeof createCosmosChain>

/** The blocks of two years, and a while after them, of a chain of the Cosmos SDK. */
export function createCosmosChain({ market, net }: { market: Market; net: CosmosNet }) {
  const start = beginOf(market)
  const heightAt = (at: number): number => net.firstHeight + Math.floor((at - start) / net.secondsPerBlock)
  const timeOf = (height: number): number => start + (height - net.firstHeight) * net.secondsPerBlock
  const { txs, history } = plan(market, { net, heightAt, timeOf })
  return {
    net,
    newest: (now: number): number => heightAt(now),
    /** Unix seconds. */
    timeOf,
    /** The transactions with an event like that, oldest first. */
    search: (type: string, key: string, value: string): CosmosTx[] =>
      txs.filter(({ events }) =>
        events.some(
          (event) =>
            event.type === type && event.attributes.some((one) => one.key === key && one.value === value),
        ),
      ),
    /** What an account has at the end of a block; null before its first transaction. */
    held(account: string, height: number): Held | null {
      const found = history.get(account)?.findLast((one) => one.height <= height)
      return found ? matured(found.held, { denom: net.denom, at: timeOf(height) }) : null
    },
  }
}

/** What an account has after the undelegated coins that are due came back, which no transaction tells. */
function matured(held: Held, { denom, at }: { denom: string; at: number }): Held {
  const due = held.unbonding.filter(({ until }) => until <= at)
  const back = due.reduce((sum, { raw }) => sum + raw, 0n)
  return {
    bank: { ...held.bank, [denom]: (held.bank[denom] ?? 0n) + back },
    staked: new Map(held.staked),
    unbonding: held.unbonding.filter(({ until }) => until > at),
  }
}

function plan(
  market: Market,
  chain: { net: CosmosNet; heightAt: (at: number) => number; timeOf: (height: number) => number },
): { txs: CosmosTx[]; history: Map<string, Snapshot[]> } {
  const { net } = chain
  const actors = actorsOf(net)
  const txs: CosmosTx[] = []
  const history = new Map<string, Snapshot[]>()
  const state = new Map<string, Held>()
  const sceneAt = (facts: Instant): Scene => {
    const { wallet, random } = facts
    const height = Math.max(chain.heightAt(facts.at), (txs.at(-1)?.height ?? 0) + 1)
    const at = chain.timeOf(height)
    for (const { address } of actors.wallets)
      state.set(address, matured(state.get(address) ?? nothing(), { denom: net.denom, at }))
    const heldBy = (account: string): Held => {
      const held = state.get(account) ?? nothing()
      state.set(account, held)
      return held
    }
    const submit: Scene['submit'] = ({ payer, fee = { [net.denom]: 5_000n }, messages, fail, run }) => {
      const events = createEvents({ net, actors, heldBy })
      const sequence = txs.filter((one) => one.payer === payer).length
      events.payFee({ payer, fee, sequence })
      if (!fail) {
        messages.forEach((message, index) => {
          events.begin(message, index)
          run?.(events, index)
        })
      }
      events.settleFee({ payer, fee })
      const hash = hashOf(`${net.id} ${txs.length} ${payer}`)
      const code = fail ? 5 : 0
      txs.push({ hash, height, at, code, payer, fee, messages, events: events.written })
      for (const { address } of actors.wallets) {
        const snapshots = history.get(address) ?? []
        history.set(address, snapshots)
        snapshots.push({ height, held: structuredClone(heldBy(address)) })
      }
    }
    const unitsOf = (coinId: string, usd: number) =>
      BigInt(Math.round((usd / market.priceUsd(coinId, at)!) * 1e6))
    return { net, actors, random, at, height, wallet, heldBy, unitsOf, submit }
  }
  const { wallets } = actors
  playScenes({ market, name: `cosmos ${net.id}`, everyDays: 3, wallets, acts, usual: receive, sceneAt })
  return { txs, history }
}

const nothing = (): Held => ({ bank: {}, staked: new Map(), unbonding: [] })
