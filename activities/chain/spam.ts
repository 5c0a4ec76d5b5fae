import { remove as withoutLookalikes } from 'confusables'
import { parse } from 'tldts'
import { MULTISEND_RECEIVERS } from './chain-data.ts'

/** Addresses, and words that ask the reader to do something. */
const CALLS = /https?:|www\.|\b(claims?|visit|voucher|redeem|airdrop\s+at|free\s+mint)\b|空投|领取|微信|电报/i
/** What real collections of NFTs are called too. */
const BAITS = /\b(rewards?|gift|bonus|giveaway|raffle|telegram)\b|(^|\s)@\w{5,}/i
/** What may be a domain. Spam also writes it with a space before the dot. */
const DOMAIN = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\s?\.)+\p{L}{2,}(?![\p{L}\p{N}])/gu
/** Sites that name their own tokens by their address, such as pools that no coin list has. */
const OWN_NAMES = /\b(curve\.fi|yearn\.finance)\b/gi
/** No token needs more for its name: what is longer is a text. */
const LONGEST_NAME = 100
/** Scripts whose letters stand for Latin ones in copied names. Greek ones also stand for themselves, as in "αETH". */
const DISGUISE = String.raw`[\p{Script=Cyrillic}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Armenian}\p{Script=Coptic}]`
/** No word is written in two scripts. */
const MIXED = new RegExp(`[A-Za-z]\\.?${DISGUISE}|${DISGUISE}\\.?[A-Za-z]`, 'u')

export interface TokenToJudge {
  symbol: string | null
  name: string | null
  /** its contract address maps to a coin or has a price */
  known: boolean
  /** highest number of receivers in a transaction that sent it to a tracked wallet */
  receivers: number
  isNft: boolean
}

/**
 * Returns why a token counts as spam; null when it does not. Tokens are identified by contract address: the
 * symbol of a major coin on another contract is an impersonation, also in letters that only look like it.
 */
export function spamReason(token: TokenToJudge, majorSymbols: ReadonlySet<string>): string | null {
  if (token.known) return null
  if ([token.symbol, token.name].some((text) => text !== null && advertises(text, token))) return 'advertises'
  if (!token.isNft && impersonates(token, majorSymbols)) return 'impersonates'
  return !token.isNft && token.receivers >= MULTISEND_RECEIVERS ? 'multisend' : null
}

function advertises(text: string, { isNft }: TokenToJudge): boolean {
  if (text.length > LONGEST_NAME) return true
  const plain = plainLetters(text).replace(OWN_NAMES, '')
  if (CALLS.test(plain) || (!isNft && BAITS.test(plain))) return true
  return [...plain.matchAll(DOMAIN)].some(([one]) => isDomain(one.replace(/\s/g, '')))
}

/** Whether it ends in a public suffix, by the list that browsers use. */
function isDomain(host: string): boolean {
  const { domain, isIcann } = parse(host)
  return domain !== null && isIcann === true
}

function impersonates({ symbol, name }: TokenToJudge, majorSymbols: ReadonlySet<string>): boolean {
  if (MIXED.test(symbol ?? '') || MIXED.test(name ?? '')) return true
  return symbol !== null && majorSymbols.has(foldSymbol(symbol))
}

/** Without accents and invisible characters, and with Latin letters for those that look like them. */
const plainLetters = (text: string): string =>
  withoutLookalikes(text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, ''))

/** Upper case without what makes a copied symbol look different: accents, lookalikes, spaces, points and `$`. */
export const foldSymbol = (symbol: string): string =>
  plainLetters(symbol)
    .replace(/[\s$._-]/gu, '')
    .toUpperCase()
