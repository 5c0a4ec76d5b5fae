import { boolean, type Dataset, FETCHED_AT, instant, integer, SOURCE, text, texts } from '../dataset.ts'

const READ = { source: SOURCE, fetched_at: FETCHED_AT }

export const riskDatasets: readonly Dataset[] = [
  {
    name: 'token_risks',
    family: 'Risks',
    description: 'Risks of token contracts, by source.',
    from: 'token_risks',
    cut: null,
    sort: ['blockchain', 'address'],
    columns: {
      blockchain: text('Blockchain, as in the API'),
      address: text('Address of the contract'),
      known: boolean('False: the source does not know the token'),
      score: integer('Risk score from 0 to 100, higher is riskier; null: unknown'),
      detected: texts('Keys of the risks that were found'),
      clear: texts('Keys of the risks that were checked and not found'),
      market_endorsed: boolean('Whether the source lists the token as trusted; null: unknown'),
      ownership_renounced: boolean('Whether the owner gave up ownership; null: unknown'),
      facts: text('Answer of the source as JSON', 'facts::text'),
      checked_at: instant('When the token was last checked'),
      ...READ,
    },
  },
]
