import { parseDocument } from 'htmlparser2'

type Node = ReturnType<typeof parseDocument>['children'][number]

/** Elements whose text nobody reads. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'head', 'title'])
/** Elements that stand in the run of the text; all others part words. */
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
/** Each pass undoes one layer of escaping. Text that still looks like a tag after these loses its angle brackets. */
const MOST_PASSES = 3

/**
 * The text of a fragment of HTML or of parsed nodes, on one line: no tags, no entities, no control or invisible
 * characters. Nothing of it can be taken for a tag, however often it was escaped.
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
  // A list of what is still to be read, not recursion: HTML may nest as deep as it likes.
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

/** The text, cut at a word where it is longer than `most` characters. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const end = cut.lastIndexOf(' ')
  // A surrogate pair is not cut in two.
  return `${(end > most / 2 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
