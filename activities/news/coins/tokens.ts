/** One word of a text, with its capitals and position. */
export interface Token {
  lower: string
  /** upper: NEAR, title: Near, lower: near, mixed: dYdX. Digits alone are lower. */
  writing: 'upper' | 'title' | 'lower' | 'mixed'
  /** Written with a dollar sign, as in `$NEAR`. */
  cashtag: boolean
  /** First word of the text, or after a colon, a full stop or a dash. */
  start: boolean
  /** The characters between the previous word and this one. */
  gap: string
}

export interface Tokens {
  list: Token[]
  /** Most words begin with a capital, so a capital is no evidence for a name. */
  titleCase: boolean
  /** Most words are in capitals. */
  shouted: boolean
}

const WORD = /[\p{L}\p{N}]+(?:[.'’&][\p{L}\p{N}]+)*/gu

export function tokensOf(text: string): Tokens {
  const list: Token[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    const gap = text.slice(end, match.index)
    const word = match[0].replace(/['’]s$/i, '')
    list.push({
      lower: word.toLowerCase(),
      writing: writingOf(word),
      cashtag: gap.endsWith('$') && !/^\d/.test(word),
      start: list.length === 0 || /[:.?!–—|]\s|[“"‘]$/.test(gap),
      gap,
    })
    end = match.index + match[0].length
  }
  const long = list.filter((token) => token.lower.length > 3 && !token.start)
  const capitals = long.filter(({ writing }) => writing === 'title' || writing === 'mixed')
  const upper = list.filter(({ writing }) => writing === 'upper')
  return {
    list,
    titleCase: capitals.length >= 2 && capitals.length > long.length * 0.6,
    shouted: list.length >= 4 && upper.length > list.length * 0.6,
  }
}

function writingOf(word: string): Token['writing'] {
  if (word === word.toLowerCase()) return 'lower'
  if (word === word.toUpperCase()) return 'upper'
  return /^\p{Lu}[^\p{Lu}]*$/u.test(word) ? 'title' : 'mixed'
}
