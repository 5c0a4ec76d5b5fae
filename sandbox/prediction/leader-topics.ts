import { day, long, type Question, short, type Spec, type Topic } from './question.ts'

/** How Kalshi's question differs from Polymarket's; `opposite`: it asks whether they stay. */
type Relation = 'same' | 'opposite' | 'deadline'

const leaders: [code: string, name: string, office: string, relation: Relation][] = [
  ['STARMER', 'Keir Starmer', 'Prime Minister of the United Kingdom', 'opposite'],
  ['MILEI', 'Javier Milei', 'President of Argentina', 'same'],
  ['SANCHEZ', 'Pedro S\u00e1nchez', 'Prime Minister of Spain', 'deadline'],
]

/** Questions on whether leaders leave office by a deadline. */
export function leaderTopics({ venue, anchor }: Spec): Topic[] {
  return leaders.map(([code, name, office, relation]): Topic => {
    const later = venue === 'kalshi' && relation === 'deadline'
    const endsAt = anchor + (later ? 95 : 65) * day
    const eve = endsAt - 1
    const stays = venue === 'kalshi' && relation === 'opposite'
    const asked =
      venue === 'polymarket'
        ? `${name.split(' ')[1]} out by ${long(eve)}?`
        : stays
          ? `Will ${name} remain ${office} through ${short(eve)}?`
          : `Will ${name} leave office before ${short(endsAt)}?`
    const rules =
      venue === 'polymarket'
        ? `This market resolves to "Yes" if ${name} ceases to be ${office} for any length of time by ${long(eve)}, 11:59 PM ET.`
        : stays
          ? `If ${name} is still ${office} through ${short(eve)}, then the market resolves to Yes.`
          : `If ${name} leaves office as ${office} before ${short(endsAt)}, then the market resolves to Yes.`
    const question: Question = {
      key: `${code}-${endsAt}`,
      truth: `${code} out ${endsAt}`,
      negated: stays,
      question: asked,
      rules,
      label: '',
      strike: null,
      outcomes: ['Yes', 'No'],
      endsAt,
    }
    return {
      key: `${code}OUT`,
      category: 'Politics',
      title: asked,
      resolutionSource: '',
      exclusive: false,
      startsAt: anchor - 20 * day,
      questions: [question],
    }
  })
}
