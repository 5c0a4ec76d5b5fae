import { boolean, type Dataset, FETCHED_AT, instant, integer, SOURCE, text, texts } from '../dataset.ts'

const READ = { source: SOURCE, fetched_at: FETCHED_AT }

export const riskDatasets: readonly Dataset[] = [
  {
    name: 'token_risks',
    family: 'Risks',
    description: 'What a source of token risks says of a contract.',
    from: 'token_risks',
    cut: null,
    sort: ['blockchain', 'address'],
    columns: {
      blockchain: text("The API's blockchain"),
      address: text('Of the contract'),
      known: boolean('False: the source was asked and does not know it'),
      score: integer('As the source says'),
      detected: texts('Risks that it has'),
      clear: texts('Risks that it does not have'),
      market_endorsed: boolean('Null: not said'),
      ownership_renounced: boolean('Null: not said'),
      facts: text('JSON: what else the source says', 'facts::text'),
      checked_at: instant('When it was last asked'),
      ...READ,
    },
  },
]
