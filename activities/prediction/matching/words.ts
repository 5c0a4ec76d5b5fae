/**
 * Phrases that mean the same at both venues, and the word that replaces them. A leading `@` marks a word that
 * decides what a market is about: both markets must have it. The order matters: longer phrases come first.
 */
const PHRASES: [phrase: RegExp, word: string][] = [
  [
    /\b(?:hikes? (?:interest )?rates? by 0 ?bps|no change in (?:\S+ ){0,2}(?:interest )?rates?|maintains? (?:interest )?rates?|(?:fed|rates?) (?:unchanged|on hold))/gi,
    ' @rate-hold ',
  ],
  [/\b(?:federal reserve|the fed|fed|fomc)\b(?: board)?/gi, ' @fed '],
  [/\beuropean central bank\b/gi, ' ECB '],
  [/\b(?:English Premier League|EPL)\b/g, ' Premier League '],
  [/\bsecurities and exchange commission\b/gi, ' SEC '],
  [
    /\b(?:cuts?|decreases?|lowers?|reduces?) (?=(?:\S+ )?(?:interest )?rates?\b)|\brate cuts?\b|\b(?:bps|basis points?) (?:cut|decrease)\b|^cut\b/gi,
    ' @rate-cut ',
  ],
  [
    /\b(?:hikes?|increases?|raises?) (?=(?:\S+ )?(?:interest )?rates?\b)|\brate hikes?\b|\b(?:bps|basis points?) (?:hike|increase)\b|^hike\b/gi,
    ' @rate-hike ',
  ],
  [/\binterest rates?\b/gi, ' rate '],
  [/\b(?:core (?:CPI )?inflation|core CPI)\b/gi, ' core CPI '],
  [/\bunemployment rate(?: \(U-3\))?/gi, ' @unemployment '],
  [/\b(?:total )?nonfarm payroll(?: employment)?s?|\bjobs?(?: numbers| added| report)?\b/gi, ' @jobs '],
  [/\bgross domestic product\b/gi, ' GDP '],
  [/^no change$/gi, ' @rate-hold '],
  [/\bmarket cap\b/gi, ' market capitalization '],
  [
    /\b(?:NBA (?:finals|championship|champions?|title)|pro basketball (?:finals|championship|champions?))\b/gi,
    ' @nba-title ',
  ],
  [/\b(?:super bowl|pro football (?:championship|champions?))\b/gi, ' @nfl-title '],
  [/\b(?:world series|pro baseball (?:championship|champions?))\b/gi, ' @mlb-title '],
  [/\b(?:stanley cup(?: finals?)?|pro hockey (?:championship|champions?))\b/gi, ' @nhl-title '],
  [/\bacademy awards?\b|\boscars?\b/gi, ' @oscars '],
  [/\bgrammys?\b(?: awards?)?/gi, ' @grammys '],
  [/\bformula (?:1|one)\b/gi, ' F1 '],
  [/\bNew York City\b|\bNYC\b/g, ' @nyc '],
  [/\bS&P(?: 500)?(?: index)?/gi, ' @sp500 '],
  [/\b(?:Nasdaq|Dow|Russell)[- ](?=\d)/gi, ' @index-'],
  [/\bfull self[- ]driving\b/gi, ' FSD '],
  [/\b(?:a )?(?:new )?(?:all[- ]time high|ATH)\b/gi, ' @ath '],
  [/\b(?:category|cat\.?) (\d)\b/gi, ' @category-$1 '],
  [/\btop (\d+)\b/gi, ' @top-$1 '],
  [/\b(?:shut ?downs?|shuts? down)\b/gi, ' @shutdown '],
  [/\bcease-?fires?\b/gi, ' @ceasefire '],
  [/\bdemocrat(?:ic)?s?\b(?! republic)(?: party\b)?/gi, ' @democrats '],
  [/\b(?:republicans?\b(?: party\b)?|GOP\b)/gi, ' @republicans '],
  [/\bcontrol(?:s|led)?(?: of)?(?= (?:the )?(?:US )?(?:House|Senate)\b)/gi, ' '],
  [/\b(House|Senate) (?:seat|race)\b/gi, ' $1 '],
  [/\b(?:GTA|Grand Theft Auto) ?(?:VI|6)\b/gi, ' @gta-vi '],
  [/\bvice[- ]president(?:ial)?\b/gi, ' VP '],
  [/\bpresiden(?:tial|cy)\b/gi, ' President '],
  [/\bgubernatorial\b/gi, ' Governor '],
  [/\b(?:leaves? office|out as|out(?=\s*(?:\?|$|by|in|before))|ceases? to be)/gi, ' @leave '],
  [/\b(?:remains?|is still|stays?|continues? as)\b(?: in office)?/gi, ' not @leave '],
  [/\b(?:avoids?|fails? to|averts?|avoided)\b/gi, ' not '],
  [/\b(?:nominees?|nominat(?:e[sd]?|ions?))\b/gi, ' @nominee '],
  [/\b(?:primary|primaries)\b/gi, ' @primary '],
  [
    /\b(?:advances?|qualif(?:y|ies)|reach(?:es)?(?= the (?:final|semi|playoff))|make(?:s)?(?= the (?:final|playoff)))\b/gi,
    ' @advance ',
  ],
  [/\bplayoffs?\b/gi, ' @playoffs '],
  [/\bfinish(?:es)? /gi, ' @finish '],
  [/\bconfirm(?:s|ed|ation)?\b/gi, ' @confirm '],
  [/\b(?:runs? for|announces? (?:a )?candidacy)\b/gi, ' @run '],
  [/\bapprov(?:e[sd]?|al of)\b(?! rating)/gi, ' @approve '],
  [/\bannounc(?:e[sd]?|ement)\b/gi, ' @announce '],
  [/\b(?:releas(?:e[sd]?|ing)|launch(?:e[sd]|es)?|made available)\b/gi, ' @release '],
  [/\bdisapproval\b/gi, ' @disapproval '],
  [/\bapproval\b/gi, ' @approval '],
  [/\b(?:O\/U|total points)\b(?: scored)?/gi, ' @total '],
  [/\b(?:spread|wins? by)\b/gi, ' @spread '],
  [/\b(second|third|2nd|3rd)[- ](largest|hottest|biggest)\b/gi, ' @$1-$2 '],
  [/\bwomen(?:'s)?\b/gi, ' @women '],
  [/\b(?:ties?|draws?)\b/gi, ' @tie '],
  [/\bFC\b/g, ' '],
  [/\b(?:first|last) /gi, ' @$& '],
]

/** Replaces phrases that have several wordings by one word each. */
export const namePhrases = (text: string): string =>
  PHRASES.reduce((named, [phrase, word]) => named.replace(phrase, word), text)

/** Words that say nothing about the question, and words that are implied when missing. */
const PLAIN = new Set(
  `a an the of in on at by to for and or is be been are was were do does did has have had will would who what which when how
  many much than that this its their his her it as with from after before between during until through any there if get gets
  got next new next high low price prices range market yes no resolve win wins winner won winning champion champions
  championship election elections race party us usa american america united states u.s economy real year month week
  hit hits reach reaches close closes closed closing dip dips drop drops trade trades trading fall falls above below over under more less fewer least most
  exactly number numbers report meeting decision happen happens occur value level rate rates official officially men men's mens
  midterm midterms upcoming game match vs x percent bps basis points inches inch degrees degree times time cuts cut
  added add adds grow grows rise rises increase increases growth end est edt et utc up down not never without also only
  world worldwide company any all`
    .split(/\s+/)
    .concat('day'),
)

/** `firm` words are names or decide what is asked; `loose` words may differ between venues. */
export interface Words {
  firm: string[]
  loose: string[]
}

/** The telling words of a text in their order. */
export function tellingWords(text: string): { word: string; firm: boolean }[] {
  return [...text.matchAll(/@?[A-Za-z0-9][A-Za-z0-9&'.@-]*/g)].flatMap(([match]) => {
    const token = match.replace(/'s$|[.'-]+$/g, '')
    const word = token.toLowerCase()
    return PLAIN.has(word) ? [] : [{ word, firm: /^@|[A-Z0-9]/.test(token) }]
  })
}

/** The telling words of a text, each once. */
export function readWords(text: string): Words {
  const words = tellingWords(text)
  const firm = new Set(words.flatMap((one) => (one.firm ? [one.word] : [])))
  const loose = new Set(words.flatMap((one) => (one.firm || firm.has(one.word) ? [] : [one.word])))
  return { firm: [...firm], loose: [...loose] }
}

/** Whether two words are forms of one: "deliver" and "deliveries". */
export function sameStem(a: string, b: string): boolean {
  if (a === b || a === `${b}s` || b === `${a}s`) return true
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  return same >= 5 && same >= 0.6 * Math.max(a.length, b.length)
}
