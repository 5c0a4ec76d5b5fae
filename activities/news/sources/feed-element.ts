import { DomUtils, type parseDocument } from 'htmlparser2'
import { plainText } from './plain-text.ts'

export type Node = ReturnType<typeof parseDocument>['children'][number]
export type Element = Extract<Node, { attribs: Record<string, string> }>

export function isElement(node: Node): node is Element {
  return 'attribs' in node
}

/**
 * Direct children with a qualified name. Deeper elements are ignored: feeds nest media titles inside
 * articles.
 */
export function childrenNamed(parent: Element, name: string): Element[] {
  return parent.children.filter((node): node is Element => isElement(node) && node.name === name)
}

export function childNamed(parent: Element, name: string): Element | undefined {
  return childrenNamed(parent, name)[0]
}

/**
 * The HTML in an element, escaped or in CDATA. Empty if the element is missing, empty or contains XHTML
 * elements.
 */
export function htmlOf(element: Element | undefined): string {
  return element === undefined || element.children.some(isElement) ? '' : DomUtils.textContent(element)
}

/** The visible text of an element on one line; empty without an element. */
export function textOf(element: Element | undefined): string {
  if (element === undefined) return ''
  const html = htmlOf(element)
  return plainText(html === '' ? element.children : html)
}

/** The text of the first child with one of these names that has text, or an empty text. */
export function textOfFirst(parent: Element, names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(childNamed(parent, name))
    if (text !== '') return text
  }
  return ''
}
