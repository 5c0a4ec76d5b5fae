import { createHash } from 'node:crypto'
import { tokensOf } from './tokens.ts'
import { ACRONYMS, ALIASES, COMMON_NAMES, COMMON_PHRASES, PROPER_NAMES } from './words.ts'

export interface NamedCoin {
  id: string
  symbol: string
  name: string
  rank: number | null
}

/**
 * When a phrase names its coin. `sure`: always. `proper`: if its words have capitals. `common`: if the words
 * around it are evidence. `symbol`: in capitals. `acronym`: in capitals, if the words around it are evidence.
 */
export type Naming = 'sure' | 'proper' | 'common' | 'symbol' | 'acronym'

export interface Phrase {
  words: string[]
  naming: Naming
  /** Coins with that name, best ranked first. */
  coinIds: string[]
}

export interface Vocabulary {
  /** Phrases by their first word, longest first. */
  phrases: ReadonlyMap<string, readonly Phrase[]>
  /** Changes with the set of coins and with the rules, but not with ranks. */
  version: string
}

/** Raise it when the rules change, so that recent articles are analysed again. */
const RULES = 2

/** Coins with a lower rank are named by accident more often than on purpose. */
const WELL_KNOWN = 250
const GENERIC_TAILS = new Set([
  'protocol',
  'network',
  'finance',
  'token',
  'coin',
  'chain',
  'dao',
  'hub',
  'labs',
  'games',
])
/** Typical parts of invented coin names. */
const COINED = /coin|swap|chain|token|dao$|inu$|doge|bitc|crypto|dex$|verse$|[a-z]fi$|usd|btc|\d/

/** Creates the phrases that name coins. `coins` must be sorted, best ranked first. */
export function createVocabulary(coins: readonly NamedCoin[]): Vocabulary {
  const byKey = new Map<string, Phrase>()
  const add = (text: string, coin: NamedCoin, naming: Naming): void => {
    const words = tokensOf(text).list.map(({ lower }) => lower)
    if (words.length === 0) return
    const isSymbol = naming === 'symbol' || naming === 'acronym'
    const key = `${isSymbol ? '$' : ''}${words.join(' ')}`
    const known = byKey.get(key)
    if (!known) byKey.set(key, { words, naming, coinIds: [coin.id] })
    else if (!known.coinIds.includes(coin.id)) known.coinIds.push(coin.id)
  }
  for (const coin of coins) {
    for (const alias of ALIASES[coin.id] ?? []) add(alias, coin, namingOf(alias, coin))
    for (const name of namesOf(coin)) add(name, coin, namingOf(name, coin))
    add(coin.symbol, coin, symbolNaming(coin))
  }
  const phrases = Map.groupBy(byKey.values(), ({ words }) => words[0]!)
  for (const list of phrases.values()) list.sort((a, b) => b.words.length - a.words.length)
  // Leave out ranks: they change every minute, and would cause a new analysis each time.
  const written = coins
    .map(({ id, symbol, name }) => `${id} ${symbol} ${name}`)
    .sort()
    .join('\n')
  const version = createHash('sha256').update(`${RULES}\n${written}`).digest('hex').slice(0, 16)
  return { phrases, version }
}

/**
 * The name without brackets, and for well-known coins also without a generic last word such as "protocol".
 */
function namesOf(coin: NamedCoin): string[] {
  const name = coin.name.replace(/\(.*?\)/g, ' ').trim()
  const words = name.split(/\s+/)
  const tail = words.at(-1)!.toLowerCase()
  if (words.length !== 2 || !GENERIC_TAILS.has(tail) || !isWellKnown(coin)) return [name]
  return [name, words[0]!]
}

function isWellKnown({ rank }: NamedCoin): boolean {
  return rank !== null && rank <= WELL_KNOWN
}

function namingOf(name: string, coin: NamedCoin): Naming {
  const words = name.toLowerCase().split(/\s+/)
  const word = words[0]!
  if (words.length > 1) return COMMON_PHRASES.has(words.join('-')) ? 'common' : 'proper'
  if (COMMON_NAMES.has(word)) return 'common'
  if (PROPER_NAMES.has(word)) return 'proper'
  if (word.length < 3) return 'common'
  return isWellKnown(coin) || COINED.test(word) ? 'sure' : 'common'
}

function symbolNaming(coin: NamedCoin): Naming {
  const symbol = coin.symbol.toLowerCase()
  return symbol.length < 3 || ACRONYMS.has(symbol) || !isWellKnown(coin) ? 'acronym' : 'symbol'
}
