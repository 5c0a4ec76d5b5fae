import { day, long, type Question, type Spec, type Topic } from './question.ts'

const matches: [string, string][] = [
  ['Lakers', 'Celtics'],
  ['Nuggets', 'Knicks'],
  ['Arsenal', 'Chelsea'],
  ['Liverpool', 'Everton'],
]

/** Games, at Polymarket alone: the outcomes are the teams. */
export function matchTopics({ venue, anchor }: Spec): Topic[] {
  if (venue === 'kalshi') return []
  return matches.map(([home, away], i) => {
    const endsAt = anchor + (i * 2 - 2) * day + 72_000
    const question: Question = {
      ...{ key: `${home}-${away}`, truth: `${home} ${away}`, question: `${home} vs. ${away}`, label: '' },
      rules: `This market resolves to the winner of the game of ${long(endsAt)}.`,
      ...{ strike: null, outcomes: [home, away], endsAt },
    }
    return {
      key: `GAME-${i}`,
      category: 'Sports',
      title: question.question,
      resolutionSource: '',
      exclusive: false,
      startsAt: endsAt - 9 * day,
      questions: [question],
    }
  })
}
