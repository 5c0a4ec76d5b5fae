import type { SandboxMarket } from './prediction-world.ts'
import { hashOf } from './traders.ts'

/** Ids of a market at Polymarket: its condition on chain, and the token of each outcome. */
export const conditionOf = ({ key }: SandboxMarket): string => hashOf(`condition ${key}`)
export const tokenOf = ({ key }: SandboxMarket, outcome: number): string =>
  BigInt(hashOf(`token ${key} ${outcome}`)).toString()

/** Lower case, words joined by dashes. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
export const marketSlug = (market: SandboxMarket): string => `${slugOf(market.question)}-${market.number}`
