import type { Random } from '../chain/random.ts'
import type { Actors, CosmosNet } from './actors.ts'
import type { CosmosEvent, Events } from './events.ts'
import type { Coins, Held } from './holdings.ts'

export type CosmosTx = {
  hash: string
  height: number
  /** Unix seconds. */
  at: number
  /** 0: success */
  code: number
  payer: string
  fee: Coins
  messages: object[]
  events: CosmosEvent[]
}

/** What an act of a wallet works on. */
export type Scene = {
  net: CosmosNet
  actors: Actors
  random: Random
  at: number
  height: number
  wallet: string
  heldBy: (account: string) => Held
  /** Base units of a coin that cost so many dollars. */
  unitsOf: (coinId: string, usd: number) => bigint
  /** Runs a transaction. `fail`: after its fee is paid. `run` writes what the message with a number does. */
  submit: (tx: {
    payer: string
    fee?: Coins
    messages: object[]
    fail?: boolean
    run?: (events: Events, index: number) => void
  }) => void
}
