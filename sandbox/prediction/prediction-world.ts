import { createNoise, hashText, uniform } from '../market/noise.ts'
import { fillMarket, type SandboxFill } from './fill-market.ts'
import type { Question, Topic, Venue } from './question.ts'
import { topicsOf, truthKey } from './topics.ts'
import { createTraders, type SandboxTrader } from './traders.ts'

const day = 86_400

export interface SandboxMarket extends Question {
  /** Number within the venue, from 1. */
  number: number
  venue: Venue
  topic: Topic
  startsAt: number
  tick: number
  /** When the venue publishes the result, some hours after the end. */
  settledAt: number
  /** Probability that its claim is true, 0 to 1. */
  chance: (at: number) => number
  /** Price of the first outcome. */
  price: (at: number) => number
  /** Whether the first outcome wins; null: the market is cancelled. */
  result: boolean | null
  /** All trades from start to end, oldest first. */
  fills: () => SandboxFill[]
}

export interface PredictionWorld {
  markets: Record<Venue, SandboxMarket[]>
  traders: SandboxTrader[]
}

const round = (value: number, tick: number): number => Number((Math.round(value / tick) * tick).toFixed(4))

/**
 * Two venues in one world: a question has one probability, to which each venue adds a little noise of its
 * own. Everything is a function of seed, anchor and time, so that markets trade, end and settle while the
 * sandbox runs.
 */
export function createPredictionWorld({ seed, anchor }: { seed: number; anchor: number }): PredictionWorld {
  const traders = createTraders({ seed, count: 320 })

  function marketOf(venue: Venue, topic: Topic, question: Question, number: number): SandboxMarket {
    const key = truthKey(seed, question)
    const own = hashText(key, venue)
    const [noise, apart] = [createNoise(key), createNoise(own)]
    const start = topic.startsAt
    const level = topic.exclusive ? -1.2 : 0
    const base = level + 3 * (uniform(key, 1) - 0.5)
    const tick = uniform(own, 2) < 0.2 ? 0.001 : 0.01
    const [atStart, apartAtStart] = [noise(start), apart(start)]
    const negated = question.negated === true
    const happens = base + 0.55 * (noise(question.endsAt) - atStart) > 0
    const wins = happens !== negated
    const calledOff = venue === 'polymarket' && number % 37 === 0
    const flipped = venue === 'polymarket' && number % 9 === 4 && question.outcomes[0] === 'Yes'
    const chance = (at: number): number => {
      const x = Math.min(Math.max((at - start) / (question.endsAt - start), 0), 1)
      const pull = (happens ? 1 : -1) * 5 * x ** 6
      const moved = 0.55 * (noise(Math.min(at, question.endsAt)) - atStart)
      const logit = base + moved + pull + 0.06 * (apart(at) - apartAtStart)
      return Math.min(Math.max(1 / (1 + Math.exp(negated ? logit : -logit)), 0.004), 0.996)
    }
    const price = (at: number): number => {
      const yes = round(chance(at), tick)
      const bounded = Math.min(Math.max(yes, tick), 1 - tick)
      return Number((flipped ? 1 - bounded : bounded).toFixed(4))
    }
    const market: SandboxMarket = {
      ...question,
      number,
      venue,
      topic,
      startsAt: start,
      tick,
      chance,
      price,
      outcomes: flipped ? ['No', 'Yes'] : question.outcomes,
      settledAt: question.endsAt + 3 * 3600 + Math.floor(uniform(own, 3) * day),
      result: calledOff ? null : wins !== flipped,
      fills: () => (filled ??= fillMarket({ market, key: own, traders })),
    }
    let filled: SandboxFill[] | undefined
    return market
  }

  const marketsOf = (venue: Venue): SandboxMarket[] => {
    let number = 0
    return topicsOf({ venue, anchor }).flatMap((topic) =>
      topic.questions.map((question) => marketOf(venue, topic, question, ++number)),
    )
  }
  return { traders, markets: { polymarket: marketsOf('polymarket'), kalshi: marketsOf('kalshi') } }
}

export type Phase = 'ahead' | 'open' | 'ended' | 'settled'

export function phaseOf({ startsAt, endsAt, settledAt }: SandboxMarket, now: number): Phase {
  if (now < startsAt) return 'ahead'
  if (now < endsAt) return 'open'
  return now < settledAt ? 'ended' : 'settled'
}

/** Volume traded up to now, in USD and shares; each trade counts once. */
export function volumeOf(market: SandboxMarket, { now, since = 0 }: { now: number; since?: number }) {
  let [usd, shares] = [0, 0]
  for (const fill of market.fills())
    if (fill.at <= now && fill.at > since && fill.taker) {
      usd += fill.price * fill.size
      shares += fill.size
    }
  return { usd: Number(usd.toFixed(6)), shares: Number(shares.toFixed(2)) }
}
