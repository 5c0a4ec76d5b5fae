import type { AskDeps, Questions } from '../source-questions.ts'
import { createNftSources } from './nft-sources.ts'

const BORED_APES = { networkId: 'ethereum', address: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d' }

export function nftQuestions(deps: AskDeps): Questions {
  const sources = createNftSources(deps)
  return {
    opensea: () => sources.opensea?.contract(BORED_APES),
    'alchemy-nft': () => sources.alchemy?.contract(BORED_APES),
  }
}
