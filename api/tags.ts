/** Tags of the documentation in its order, each with what its endpoints answer. */
const TAGS: Readonly<Record<string, string>> = {
  Status: 'Whether the service and its data are up to date. Free, and open without a key.',
  Usage: 'What your account has used in the period, and what a call would cost.',
  Coins:
    'Prices, market figures and price histories of coins. Start with GET /coins: its `id` is the `coinId` of all other endpoints.',
  Markets: 'Totals of the crypto market, and the exchanges and pairs on which coins are traded.',
  Currencies: 'Exchange rates between US dollars and the currencies in which answers can state values.',
  News: 'Articles of crypto publishers with the coins that they mention, and the health of each source.',
  Insights: 'Indicators of the whole market: dominance of bitcoin, fear and greed, rainbow charts.',
  'Token risk': 'Risks of a token contract: who may mint, pause or tax it, and how it is held and traded.',
  NFTs: 'NFT collections with their figures, their tokens, and the NFTs of a wallet.',
  Wallets:
    'Balances, transactions, values over time and profit and loss of any public wallet. Nothing is connected first: the first read of a wallet starts its sync.',
  Exchanges:
    'Balances, transactions and profit and loss of an account at an exchange, read with its read-only API key.',
  Portfolios:
    'The wallets, exchange accounts and manual portfolios of your account, one by one or combined: value, coins, transactions, profit and loss, and where each figure comes from.',
  Events:
    'What happens to your wallets, portfolios and alerts: as pages to read, or as a stream. Alerts tell when a price or value passes a limit.',
  Webhooks: 'Endpoints of yours to which events are posted, signed by the rules of Standard Webhooks.',
  'Prediction markets':
    'Markets, events, order books, trades, holders and traders of prediction venues, and the same question at several of them.',
}
const NAMES = Object.keys(TAGS)

/** Place of a tag in the documentation. Tags that are not listed follow the others. */
export const rankOfTag = (tag: string): number => (NAMES.includes(tag) ? NAMES.indexOf(tag) : NAMES.length)

/** Description of a tag; its name if it is not listed. */
export const aboutTag = (tag: string): string => TAGS[tag] ?? tag
