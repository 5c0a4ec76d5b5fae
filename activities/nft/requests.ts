import { countForPlan } from '../../db/nft/count-for-plan.ts'
import { HOLDINGS_PACE, NFT_PACE } from '../../db/values/nft-pace.ts'
import { COINGECKO } from '../coingecko.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import { type Asking, countedRequests, passSeconds, type PlanInput, regular } from '../requests.ts'
import { alchemyUnits } from './area.ts'
import { GECKO_COLLECTIONS } from './index.ts'
import { PAGES } from './load-assets.ts'
import { MOST_PAGES } from './refresh-market.ts'
import { ALCHEMY_NFT, FLOORS_ON, NFTS_PER_PAGE as NFTS_OF_ALCHEMY } from './sources/alchemy-nft.ts'
import { LIST } from './sources/coingecko.ts'
import { LISTINGS_PER_PAGE, NFTS_PER_PAGE, OPENSEA, SALES_PER_PAGE, TRENDING } from './sources/opensea.ts'

/** Tokens and offers of a collection that was not read yet. */
const [TOKENS, OFFERS] = [5_000, 300]

type Input = PlanInput<
  | 'NFT collections'
  | 'NFT collections on a marketplace'
  | 'NFT collections on Ethereum'
  | 'NFT collections on Solana'
  | 'wallets on Solana for NFTs'
  | 'pages of NFT tokens'
  | 'pages of NFT offers'
  | 'pages of NFT sales'
>

export const nftRequests = countedRequests({
  assumed: {
    'NFT collections': TRENDING,
    'NFT collections on a marketplace': TRENDING,
    'NFT collections on Ethereum': TRENDING,
    'NFT collections on Solana': 10,
    'wallets on Solana for NFTs': 2,
    'pages of NFT tokens': TRENDING * Math.ceil(TOKENS / NFTS_PER_PAGE),
    'pages of NFT offers': TRENDING * Math.ceil(OFFERS / LISTINGS_PER_PAGE),
    'pages of NFT sales': TRENDING,
  },
  count: (db) =>
    countForPlan(db, {
      network: FLOORS_ON,
      perPage: { tokens: NFTS_PER_PAGE, offers: LISTINGS_PER_PAGE, sales: SALES_PER_PAGE },
      mostPages: MOST_PAGES,
      marketSeconds: NFT_PACE.market.seconds,
    }),
  askings(input: Input) {
    const { planOf } = input
    // Alchemy is asked only while OpenSea has no key or fails.
    const main =
      planOf(OPENSEA) !== null ? ofOpenSea(input) : planOf(ALCHEMY_NFT) !== null ? ofAlchemy(input) : []
    return [
      ...main,
      ...(planOf(SOLANA) === null ? [] : ofSolana(input)),
      ...(planOf(COINGECKO) === null ? [] : records(input)),
    ]
  },
})

const runsOf = ({ schedule }: Input) => schedule('refresh-nfts').everySeconds

/** Seconds until a step has read all of `count` again. */
const pace = (input: Input, step: keyof typeof NFT_PACE, count: number): number =>
  passSeconds({ ...NFT_PACE[step], count, everySeconds: runsOf(input) })

/** One call of a step reads so many pages of tokens of a collection, and the next run goes on. */
const callsFor = (collections: number, pages: number) => Math.max(collections, Math.ceil(pages / PAGES))

function ofOpenSea(input: Input): Asking[] {
  const { counts } = input
  const [all, listed] = [counts['NFT collections'], counts['NFT collections on a marketplace']]
  const tokenPages = counts['pages of NFT tokens']
  const source = OPENSEA
  const market = { source, seconds: pace(input, 'market', listed) }
  return [
    regular({ source, what: 'the most traded collections', each: 1, seconds: runsOf(input) }),
    // By its contract, then by its name.
    regular({
      source,
      what: 'descriptions of collections',
      each: all + listed,
      seconds: pace(input, 'description', all),
    }),
    regular({
      source,
      what: 'tokens of collections',
      each: tokenPages,
      seconds: pace(input, 'assets', callsFor(listed, tokenPages)),
    }),
    regular({ ...market, what: 'figures of collections', each: listed }),
    regular({ ...market, what: 'offers', each: counts['pages of NFT offers'] }),
    regular({ ...market, what: 'sales', each: counts['pages of NFT sales'] }),
  ]
}

function ofAlchemy(input: Input): Asking[] {
  const { counts } = input
  const collections = counts['NFT collections']
  const floors = counts['NFT collections on Ethereum']
  const pages = Math.ceil((counts['pages of NFT tokens'] * NFTS_PER_PAGE) / NFTS_OF_ALCHEMY)
  const asking = (method: string, of: { what: string; each: number; seconds: number }): Asking => {
    const one = regular({ source: ALCHEMY_NFT, ...of })
    return { ...one, units: one.requests * alchemyUnits(method) }
  }
  return [
    asking('getContractMetadata', {
      what: 'descriptions of collections',
      each: collections,
      seconds: pace(input, 'description', collections),
    }),
    asking('getNFTsForContract', {
      what: 'tokens of collections',
      each: pages,
      seconds: pace(input, 'assets', callsFor(collections, pages)),
    }),
    asking('getFloorPrice', {
      what: 'floor prices',
      each: floors,
      seconds: pace(input, 'market', floors),
    }),
  ]
}

/** A page of a wallet and one of a collection: more have few. */
function ofSolana(input: Input): Asking[] {
  const [wallets, collections] = [
    input.counts['wallets on Solana for NFTs'],
    input.counts['NFT collections on Solana'],
  ]
  const source = SOLANA
  return [
    regular({
      source,
      what: 'NFTs of wallets on Solana',
      each: wallets,
      seconds: passSeconds({ ...HOLDINGS_PACE, count: wallets, everySeconds: runsOf(input) }),
    }),
    regular({
      source,
      what: 'descriptions of collections on Solana',
      each: collections,
      seconds: pace(input, 'description', collections),
    }),
  ]
}

function records(input: Input): Asking[] {
  const onSolana = input.counts['NFT collections on Solana']
  const count = Math.min(input.counts['NFT collections'] + onSolana, GECKO_COLLECTIONS)
  const source = COINGECKO
  const seconds = pace(input, 'gecko', count)
  return [
    regular({ source, what: 'records of collections', each: count, seconds }),
    ...(input.planOf(source) === 'full'
      ? [regular({ source, what: 'floor prices of past days', each: count, seconds })]
      : []),
    ...(onSolana === 0
      ? []
      : [
          regular({
            source,
            what: 'the list of collections',
            each: LIST.pages,
            seconds: LIST.keptMs / 1_000,
          }),
        ]),
  ]
}
