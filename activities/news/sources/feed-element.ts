import { DomUtils, type parseDocument } from 'htmlparser2'
import { plainText } from './plain-text.ts'

export type Node = ReturnType<typeof parseDocument>['children'][number]
export type Element = Extract<Node, { attribs: Record<string, string> }>

export function isElement(node: Node): node is Element {
  return 'attribs' in node
}

/** Elements directly below, of one qualified name: feeds put titles of media below the title of the article. */
export function childrenNamed(parent: Element, name: string): Element[] {
  return parent.children.filter((node): node is Element => isElement(node) && node.name === name)
}

export function childNamed(parent: Element, name: string): Element | undefined {
  return childrenNamed(parent, name)[0]
}

/** The HTML in an element, escaped or in CDATA; empty where it holds elements itself (XHTML), or nothing. */
export function htmlOf(element: Element | undefined): string {
  return element === undefined || element.children.some(isElement) ? '' : DomUtils.textContent(element)
}

/** What a reader sees of an element, in one line; empty without one. */
export function textOf(element: Element | undefined): string {
  if (element === undefined) return ''
  const html = htmlOf(element)
  return plainText(html === '' ? element.children : html)
}

/** The first of the elements below that has text. */
export function textOfFirst(parent: Element, names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(childNamed(parent, name))
    if (text !== '') return text
  }
  return ''
}
