import { day, long, type Question, short, type Spec, type Topic } from './question.ts'

/** Teams by their names at Polymarket, and by the cities that Kalshi uses. */
const matches: { teams: [string, string]; cities?: [string, string] }[] = [
  { teams: ['Lakers', 'Celtics'], cities: ['Los Angeles L', 'Boston'] },
  { teams: ['Nuggets', 'Knicks'], cities: ['Denver', 'New York'] },
  { teams: ['Arsenal', 'Chelsea'] },
  { teams: ['Liverpool', 'Everton'] },
]

/**
 * Games. Polymarket has one market per game, with the teams as outcomes. Kalshi has one market per team, for
 * basketball games only.
 */
export function matchTopics({ venue, anchor }: Spec): Topic[] {
  return matches.flatMap(({ teams, cities }, i) => {
    const endsAt = anchor + (i * 2 - 2) * day + 72_000
    const truth = teams.join(' ')
    const topic = { resolutionSource: '', exclusive: false, category: 'Sports', startsAt: endsAt - 9 * day }
    if (venue === 'polymarket') {
      const title = teams.join(' vs. ')
      const league = cities ? 'NBA' : 'Premier League'
      const question: Question = {
        key: teams.join('-'),
        truth,
        question: title,
        label: '',
        rules: `In the upcoming ${league} game, scheduled for ${long(endsAt)}: if the ${teams[0]} win, this market resolves to "${teams[0]}". If the ${teams[1]} win, it resolves to "${teams[1]}".`,
        strike: null,
        outcomes: teams,
        endsAt,
      }
      return [{ ...topic, key: `GAME-${i}`, title, questions: [question] }]
    }
    if (!cities) return []
    const game = `${cities[0]} at ${cities[1]}`
    const questions = cities.map((city, side): Question => ({
      key: `${teams.join('-')}-${side}`,
      truth,
      negated: side === 1,
      question: `${game} Winner?`,
      label: city,
      rules: `If ${city} wins the ${game} professional basketball game originally scheduled for ${short(endsAt)}, then the market resolves to Yes.`,
      strike: null,
      outcomes: ['Yes', 'No'],
      endsAt,
    }))
    return [{ ...topic, key: `NBAGAME${i}`, title: game, questions }]
  })
}
