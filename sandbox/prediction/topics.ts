import { hashText } from '../market/noise.ts'
import { coinTopics } from './coin-topics.ts'
import { figureTopics } from './figure-topics.ts'
import { leaderTopics } from './leader-topics.ts'
import { matchTopics } from './match-topics.ts'
import type { Question, Spec, Topic } from './question.ts'
import { raceTopics } from './race-topics.ts'

/** What a venue asks. */
export function topicsOf(spec: Spec): Topic[] {
  const kinds = [coinTopics, raceTopics, figureTopics, matchTopics, leaderTopics]
  return kinds.flatMap((kind) => kind(spec))
}

/** Key of the randomness of a truth: both venues see the same world. */
export const truthKey = (seed: number, { truth }: Question): number => hashText(seed, truth)
