import { hashText } from '../market/noise.ts'
import { coinTopics } from './coin-topics.ts'
import { figureTopics } from './figure-topics.ts'
import { leaderTopics } from './leader-topics.ts'
import { matchTopics } from './match-topics.ts'
import type { Question, Spec, Topic } from './question.ts'
import { raceTopics } from './race-topics.ts'

/** The questions of a venue, by topic. */
export function topicsOf(spec: Spec): Topic[] {
  const kinds = [coinTopics, raceTopics, figureTopics, matchTopics, leaderTopics]
  return kinds.flatMap((kind) => kind(spec))
}

/** Random seed of a truth, the same for both venues. */
export const truthKey = (seed: number, { truth }: Question): number => hashText(seed, truth)
