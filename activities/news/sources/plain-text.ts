import { parseDocument } from 'htmlparser2'

type Node = ReturnType<typeof parseDocument>['children'][number]

/** Elements whose text is not shown. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'head', 'title'])
/** Inline elements; all others separate words. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'cite',
  'code',
  'em',
  'font',
  'i',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
  'var',
  'wbr',
])
const TAG = /<[a-z!/?]/i
const ENTITY = /&(#\d+|#x[\da-f]+|[a-z]+);/i
/**
 * Each pass removes one layer of escaping. Text that still looks like a tag then loses its angle brackets.
 */
const MOST_PASSES = 3

/**
 * Returns the text of HTML or of parsed nodes on one line, without tags, entities, control or invisible
 * characters. The result never looks like a tag, however often the input was escaped.
 */
export function plainText(source: string | readonly Node[]): string {
  let text = typeof source === 'string' ? textOfHtml(source) : textOfNodes(source)
  for (let pass = 1; pass < MOST_PASSES && (TAG.test(text) || ENTITY.test(text)); pass++)
    text = textOfHtml(text)
  if (TAG.test(text)) text = text.replace(/[<>]/g, ' ')
  return tidy(text)
}

function textOfHtml(html: string): string {
  return textOfNodes(parseDocument(html).children)
}

function textOfNodes(nodes: readonly Node[]): string {
  const parts: string[] = []
  const waiting = nodes.toReversed() as (Node | string)[]
  // A stack instead of recursion, since HTML may be nested very deeply.
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') parts.push(node)
    else if (node.type === 'text') parts.push(node.data)
    else if ('children' in node && !('name' in node && SILENT.has(node.name))) {
      const gap = 'name' in node && !INLINE.has(node.name) ? ' ' : ''
      parts.push(gap)
      waiting.push(gap)
      for (const child of node.children.toReversed()) waiting.push(child)
    }
  }
  return parts.join('')
}

function tidy(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}\uFFFD]/gu, '')
    .trim()
    .normalize('NFC')
}

/** Shortens a text to `most` characters, if possible at the end of a word. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const end = cut.lastIndexOf(' ')
  // Do not cut a surrogate pair in two.
  return `${(end > most / 2 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
